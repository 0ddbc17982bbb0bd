import type { IncomingHttpHeaders } from "node:http";

/** The client's headers that are forwarded to the server in addition to the pinned ones. */
const PASSED: ReadonlySet<string> = new Set([
  "authorization",
  "accept",
  "content-type",
  "last-event-id",
  "user-agent",
  "traceparent",
  "tracestate",
  "baggage",
]);
/** Prefixes of the names of other headers that are forwarded. */
const PASSED_PREFIX = "mcp-";

/** The headers of a single request; a verification for the client holds whatever their values are. */
const OF_ONE_REQUEST: ReadonlySet<string> = new Set([
  "content-type",
  "last-event-id",
  "traceparent",
  "tracestate",
  "baggage",
  "x-request-id",
  "x-correlation-id",
  "request-id",
]);

/**
 * Returns whether a header repeats a part of the body, as in requests of the new era: `Mcp-Method`, `Mcp-Name`,
 * `Mcp-Param-*`.
 */
function isMirrored(name: string): boolean {
  return name === "mcp-method" || name === "mcp-name" || name.startsWith("mcp-param-");
}

/** Returns headers without those that repeat the body. */
export function withoutMirrored<Headers extends Readonly<Record<string, unknown>>>(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isMirrored(name))) as Headers;
}

/**
 * Returns the client's headers that are forwarded to the server: those that are passed for every server, and those that
 * were pinned.
 */
export function passedHeaders(headers: IncomingHttpHeaders, pinned: readonly string[]): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (typeof value !== "string") continue;
    const isPassed = PASSED.has(name) || name.startsWith(PASSED_PREFIX);
    if (isPassed || pinned.some((each) => each.toLowerCase() === name)) passed[name] = value;
  }
  return passed;
}

/** Returns all headers by which a server can distinguish clients, as one string. */
export function identityIn(passed: Readonly<Record<string, string>>): string {
  const own = Object.entries(passed).filter(([name]) => !OF_ONE_REQUEST.has(name) && !isMirrored(name));
  return JSON.stringify(own.sort(([one], [other]) => (one < other ? -1 : 1)));
}
