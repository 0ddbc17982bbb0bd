import type { Context } from "hono";

/** The headers of every answer that has no others of these names. */
const HEADERS = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-cache",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
} as const;

type Body = ConstructorParameters<typeof Response>[0];

/**
 * An answer with the headers that every answer has. They are a plain object: an instance of `Headers` takes longer than all
 * else in a short answer.
 */
export function respond(body: Body, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(body, { status, headers: { ...HEADERS, ...headers } });
}

/** An answer whose body is JSON. */
export function respondJson(value: object, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return respond(JSON.stringify(value), status, { "content-type": "application/json", ...headers });
}

/** An answer whose body is plain text. */
export function respondText(text: string): Response {
  return respond(text, 200, { "content-type": "text/plain; charset=utf-8" });
}

/** The answer to a request whose `If-None-Match` names the present state: it has no body that the other headers speak of. */
export function respondUnchanged(etag: string): Response {
  return new Response(null, { status: 304, headers: { "cache-control": HEADERS["cache-control"], etag } });
}

/** Gives an answer that Hono makes, as that of a stream, the headers that every answer has. */
export function prepareHeaders(context: Context): void {
  for (const [name, value] of Object.entries(HEADERS)) context.header(name, value);
}
