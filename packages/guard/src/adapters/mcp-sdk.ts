import { checkArgument } from "../check-argument.ts";
import { GuardError } from "../errors.ts";
import type { Guard } from "../guard.ts";
import type { ConnectionOptions } from "../options.ts";
import { GuardedTransport } from "./guarded-transport.ts";
import { overlay } from "./overlay.ts";

/**
 * The members of a transport that are used here, common to both major versions of the official SDK and to
 * `@ai-sdk/mcp`.
 */
export interface McpTransport {
  start(): Promise<void>;
  send(message: never, options?: never): Promise<void>;
  close(options?: never): Promise<void>;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
}

/** The members of a client that are used here, common to both major versions of the official SDK. */
export interface McpClient {
  readonly transport?: unknown;
  connect(transport: never, options?: never): Promise<unknown>;
}

/** Options for {@link guardTransport} and {@link guardClient}. */
export type TransportOptions = Pick<ConnectionOptions, "authorization">;

/**
 * Puts a guard into a transport; it verifies the server's messages, and judges the client's messages. All other members
 * of the transport are unchanged. Each transport is a connection of the guard, so one guard can serve a client that
 * reconnects.
 *
 * @param transport A transport of `@modelcontextprotocol/sdk` 1.x, `@modelcontextprotocol/client` 2.x or `@ai-sdk/mcp`,
 * not started yet.
 * @param options `authorization`: the client's credentials, if one guard serves several clients.
 * @example
 * ```ts
 * import { createGuard } from "@agentprint/guard";
 * import { guardTransport } from "@agentprint/guard/mcp-sdk";
 * import { DEFAULT_POLICY } from "@agentprint/policy";
 * import { Client } from "@modelcontextprotocol/client";
 *
 * const guard = createGuard({ lock, server: "files", policy: DEFAULT_POLICY });
 * const client = new Client({ name: "my-agent", version: "1.0.0" });
 * await client.connect(guardTransport(transport(), guard));
 * const { tools } = await client.listTools();
 * console.log(tools.map(({ name }) => name)); // [ 'read_file', 'count_lines' ]
 * await client.close();
 * ```
 */
export function guardTransport<T extends McpTransport>(transport: T, guard: Guard, options: TransportOptions = {}): T {
  checkArgument("transport", transport, { start: "function", send: "function", close: "function" });
  checkArgument("guard", guard, { connect: "function" });
  checkArgument("options", options, "object");
  const guarded = new GuardedTransport(transport as never, (onOutput) => guard.connect({ ...options, onOutput }));
  return overlay(transport, guarded);
}

/**
 * Makes a client connect through a guard, with any transport, each time it connects.
 *
 * @returns The same client.
 * @throws {@link GuardError} `invalid-option` when the client is already connected and has therefore seen unverified
 * messages.
 * @example
 * ```ts
 * import { createGuard } from "@agentprint/guard";
 * import { guardClient } from "@agentprint/guard/mcp-sdk";
 * import { DEFAULT_POLICY } from "@agentprint/policy";
 * import { Client } from "@modelcontextprotocol/sdk/client/index.js";
 *
 * const guard = createGuard({ lock, server: "files", policy: DEFAULT_POLICY });
 * const client = guardClient(new Client({ name: "my-agent", version: "1.0.0" }), guard);
 * await client.connect(transport());
 * const { content } = await client.callTool({ name: "delete_file", arguments: { path: "a.txt" } });
 * console.log(content); // [ { type: 'text', text: 'Refused by the guard: the tool differs from the lock.' } ]
 * await client.close();
 * ```
 */
export function guardClient<C extends McpClient>(client: C, guard: Guard, options: TransportOptions = {}): C {
  checkArgument("client", client, "object");
  checkArgument("guard", guard, { connect: "function" });
  checkArgument("options", options, "object");
  if (client.transport !== undefined) {
    throw new GuardError("invalid-option", "expected a client that is not connected yet");
  }
  const connect = client.connect.bind(client) as (transport: McpTransport, ...rest: unknown[]) => Promise<unknown>;
  client.connect = (transport: McpTransport, ...rest: unknown[]) =>
    connect(guardTransport(transport, guard, options), ...rest);
  return client;
}
