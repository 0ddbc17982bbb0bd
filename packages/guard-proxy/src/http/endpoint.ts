import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { JsonValue } from "@agentprint/canonical-json/json-value";
import type { Guard } from "@agentprint/guard";
import type { LockedServer } from "@agentprint/mcp-lock/lock";
import type { EndTimes } from "@agentprint/mcp-visit";

/** A client's POST, whose headers were checked against the body. */
export interface ClientPost {
  readonly body: Uint8Array;
  /** The body, parsed; `undefined` if there is none. */
  readonly value: JsonValue | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly response: ServerResponse;
  /** The number of requests in the body. */
  readonly requests: number;
}

/** The HTTP endpoint of one server, at its path. */
export interface Endpoint {
  readonly guard: Guard;
  /** Answers a request of the new era. */
  postModern(post: ClientPost): Promise<void>;
  /** Answers a message of an era with the handshake. */
  postLegacy(post: ClientPost): Promise<void>;
  /** Lets a client of an era with the handshake listen (`GET`) or leave (`DELETE`). */
  session(method: "GET" | "DELETE", headers: IncomingHttpHeaders, response: ServerResponse): Promise<void>;
  /** @param times How long its processes have to exit; by default, as long as after the end of their input */
  close(times?: EndTimes): Promise<void>;
}

/** A server at a path. */
export interface Route {
  readonly endpoint: Endpoint;
  /** The server's entry in the current lock. */
  readonly entry: LockedServer;
  /** The server's address, if it has one. */
  readonly url?: string | undefined;
  /**
   * Whether the server gets its clients' `Authorization`, and the clients get the metadata of the server's login.
   * Default `false`.
   */
  readonly passesAuthorization?: boolean;
  /** Tries again to reach a server whose files did not match the lock; resolves when `endpoint` is up to date. */
  look(): Promise<void>;
}

/** Ends an answer without a message. */
export function refuse(response: ServerResponse, status: number, text?: string): void {
  if (response.headersSent || response.destroyed) return;
  const type = text?.startsWith("{") ? "application/json" : "text/plain; charset=utf-8";
  response.writeHead(status, text === undefined ? {} : { "content-type": type }).end(text);
}
