import type { Launch } from "@agentprint/mcp-lock";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CliError } from "../errors.ts";
import { withDeadline } from "./deadline.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** How long a server may take to answer that the session is over, in milliseconds. */
const GRACE = 1000;

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
    requestInit: { headers: requestHeaders(values) },
    fetch: createGuardedFetch(maxBytes, (error) => transport.onerror?.(error)),
  });
  return {
    transport,
    stderrTail: () => "",
    close: async () => {
      // Ending the session is a courtesy: a server that refuses it, or never answers, has already told everything.
      await withDeadline(transport.terminateSession(), GRACE, "ending the session", "").catch(() => undefined);
      await transport.close();
    },
  };
}

function requestHeaders(values: Readonly<Record<string, string>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(values)) {
    try {
      headers.set(name, value);
    } catch {
      // The cause would quote the value.
      throw new CliError("usage", `the request header ${name} cannot be sent`, {
        expected: "a header name, and a value without line breaks and control characters",
      });
    }
  }
  return headers;
}
