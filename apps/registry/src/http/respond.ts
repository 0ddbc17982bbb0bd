import type { Context } from "hono";
import { UNIT_BYTES } from "../load/budget.ts";

/** The default headers of every answer; an answer's own headers replace them. */
const HEADERS = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-cache",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
} as const;

/** The lengths of long answers in bytes. */
const LENGTHS = new WeakMap<Response, number>();

type Body = ConstructorParameters<typeof Response>[0];

/**
 * Returns an answer with the default headers. The headers are a plain object, because an instance of `Headers` takes
 * longer than everything else in a short answer.
 */
export function respond(body: Body, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  const response = new Response(body, { status, headers: { ...HEADERS, ...headers } });
  if (typeof body === "string" && body.length >= UNIT_BYTES) LENGTHS.set(response, Buffer.byteLength(body));
  return response;
}

/** Returns the number of bytes in an answer; 0 for a short answer or a stream. */
export function bytesOf(response: Response): number {
  return LENGTHS.get(response) ?? 0;
}

/** Returns an answer whose body is JSON. */
export function respondJson(value: object, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return respond(JSON.stringify(value), status, { "content-type": "application/json", ...headers });
}

/** Returns a page of a list with a `Link` header (RFC 8288) that leads to `next` and keeps the request's query. */
export function respondPage<Page extends { readonly next: string | number | null }>(
  context: Context,
  page: Page,
): Response {
  if (page.next === null) return respondJson(page);
  const query = new URLSearchParams({ ...context.req.query(), after: String(page.next) });
  return respondJson(page, 200, { link: `<${context.req.path}?${query}>; rel="next"` });
}

/** Returns an answer whose body is plain text. */
export function respondText(text: string): Response {
  return respond(text, 200, { "content-type": "text/plain; charset=utf-8" });
}

/**
 * Returns the answer to a request whose `If-None-Match` names the current state. Because it has no body, it has no
 * headers that describe one.
 */
export function respondUnchanged(etag: string): Response {
  return new Response(null, { status: 304, headers: { "cache-control": HEADERS["cache-control"], etag } });
}
