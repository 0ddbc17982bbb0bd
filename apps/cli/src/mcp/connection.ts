import type { Launch } from "@agentprint/mcp-lock";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** An open way to a server, and how to leave it. */
export interface Connection {
  readonly transport: Transport;
  /** What the server last wrote to stderr; empty over HTTP. */
  stderrTail(): string;
  close(): Promise<void>;
}

/** Prepares the transport of a launch; nothing is started yet. */
export function createConnection(
  launch: Launch,
  values: Readonly<Record<string, string>>,
  maxBytes: number,
): Connection {
  if (launch.type === "stdio") {
    const transport = new StdioTransport({ ...launch, env: values }, maxBytes);
    return { transport, stderrTail: () => transport.stderrTail, close: () => transport.close() };
  }
  const transport = new StreamableHTTPClientTransport(new URL(launch.url), {
    requestInit: { headers: { ...values } },
    fetch: createGuardedFetch(maxBytes, (error) => transport.onerror?.(error)),
  });
  return {
    transport,
    stderrTail: () => "",
    close: async () => {
      // Ending the session is a courtesy: a server that refuses it has already told everything.
      await transport.terminateSession().catch(() => undefined);
      await transport.close();
    },
  };
}
