import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { JsonValue } from "@agentprint/canonical-json/json-value";
import type { Guard } from "@agentprint/guard";
import type { LockedServer } from "@agentprint/mcp-lock/lock";

/** A POST of a client, whose headers were checked against the body. */
export interface ClientPost {
  readonly body: Uint8Array;
  /** The body, parsed; `undefined` where there is none. */
  readonly value: JsonValue | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly response: ServerResponse;
  /** How many requests are in the body. */
  readonly requests: number;
}

/** The HTTP endpoint of one server, behind its path. */
export interface Endpoint {
  readonly guard: Guard;
  /** A request of the new era. */
  postModern(post: ClientPost): Promise<void>;
  /** A message of an era with the handshake. */
  postLegacy(post: ClientPost): Promise<void>;
  /** A client of an era with the handshake listens (`GET`) or leaves (`DELETE`). */
  session(method: "GET" | "DELETE", headers: IncomingHttpHeaders, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/** A server behind a path. */
export interface Route {
  readonly endpoint: Endpoint;
  /** The entry of the server, as the lock has it now. */
  readonly entry: LockedServer;
  /** The address of the server, where it has one. */
  readonly url?: string | undefined;
  /** Tries again to reach a server whose files were not those of the lock; resolves when `endpoint` is the one that answers now. */
  look(): Promise<void>;
}

/** Ends an answer without a message. */
export function refuse(response: ServerResponse, status: number, text?: string): void {
  if (response.headersSent || response.destroyed) return;
  const type = text?.startsWith("{") ? "application/json" : "text/plain; charset=utf-8";
  response.writeHead(status, text === undefined ? {} : { "content-type": type }).end(text);
}
