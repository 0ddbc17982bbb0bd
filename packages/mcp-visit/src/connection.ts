import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { withDeadline } from "./deadline.ts";
import { VisitError } from "./errors.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { StdioTransport } from "./stdio-transport.ts";
import type { VisitTarget } from "./target.ts";

/** How long a server may take to answer that the session is over, in milliseconds. */
const GRACE = 1000;

/** An open way to a server, and how to leave it. */
export interface Connection {
  readonly transport: Transport;
  /** What the server last wrote to stderr; empty over HTTP. */
  stderrTail(): string;
  close(): Promise<void>;
}

/** Prepares the transport to a target; nothing is started yet. */
export function createConnection(target: VisitTarget, maxBytes: number): Connection {
  if (target.type === "stdio") {
    const transport = new StdioTransport(target, maxBytes);
    return { transport, stderrTail: () => transport.stderrTail, close: () => transport.close() };
  }
  const transport = new StreamableHTTPClientTransport(new URL(target.url), {
    requestInit: { headers: requestHeaders(target.headers) },
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
      throw new VisitError("invalid-target", `the request header ${name} cannot be sent`, {
        expected: "a header name, and a value without line breaks and control characters",
      });
    }
  }
  return headers;
}
