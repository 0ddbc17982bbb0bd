import { GuardError } from "../errors.ts";
import type { Guard } from "../guard.ts";
import type { ConnectionOptions } from "../options.ts";
import { GuardedTransport } from "./guarded-transport.ts";
import { overlay } from "./overlay.ts";

/** What is used of a transport: those of both majors of the official SDK have it, and those of `@ai-sdk/mcp`. */
export interface McpTransport {
  start(): Promise<void>;
  send(message: never, options?: never): Promise<void>;
  close(options?: never): Promise<void>;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
}

/** What is used of a client: those of both majors of the official SDK have it. */
export interface McpClient {
  readonly transport?: unknown;
  connect(transport: never, options?: never): Promise<unknown>;
}

/** Whom the connection is for. */
export type TransportOptions = Pick<ConnectionOptions, "authorization">;

/**
 * Puts a guard into a transport: what a client is told through it was verified, and what it sends was allowed. Everything else of the
 * transport is as before. Each transport is a connection of the guard, so that one guard serves a client that connects again.
 *
 * @param transport Of `@modelcontextprotocol/sdk` 1.x, `@modelcontextprotocol/client` 2.x, or `@ai-sdk/mcp`; not started yet.
 * @param options `authorization`: what the client presents to the server, where one guard serves several of them.
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
  const guarded = new GuardedTransport(transport as never, (onOutput) => guard.connect({ ...options, onOutput }));
  return overlay(transport, guarded);
}

/**
 * Makes a client connect through a guard, whatever transport it is given, as often as it connects.
 *
 * @returns The same client.
 * @throws {@link GuardError} `invalid-option` when the client is connected already: what it was told was not verified.
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
 * console.log(content); // [ { type: 'text', text: 'Refused by the guard: the tool is not as it was locked.' } ]
 * await client.close();
 * ```
 */
export function guardClient<C extends McpClient>(client: C, guard: Guard, options: TransportOptions = {}): C {
  if (client.transport !== undefined) {
    throw new GuardError("invalid-option", "expected a client that is not connected yet");
  }
  const connect = client.connect.bind(client) as (transport: McpTransport, ...rest: unknown[]) => Promise<unknown>;
  client.connect = (transport: McpTransport, ...rest: unknown[]) =>
    connect(guardTransport(transport, guard, options), ...rest);
  return client;
}
