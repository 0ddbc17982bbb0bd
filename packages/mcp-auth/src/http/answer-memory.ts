import { AuthError } from "../errors.ts";
import { quoted } from "./quoted.ts";

/** A stored answer, which the server sends again only if it has changed. */
interface KeptAnswer {
  readonly conditions: Readonly<Record<string, string>>;
  readonly etag: string | undefined;
  readonly headers: readonly (readonly [string, string])[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The answers to earlier requests, for a process that repeats the requests. Both maps are empty at first. */
export interface AnswerMemory {
  /** The answers by address. */
  readonly answers: Map<string, KeptAnswer>;
  /** For each origin, the time in milliseconds since 1970 before which it wants no further requests. */
  readonly waits: Map<string, number>;
}

const MAX_ANSWERS = 100;
/** The longest pause for an origin, in milliseconds. */
const MAX_WAIT = 24 * 60 * 60 * 1000;

/**
 * Returns the headers that let a server determine whether the stored answer is still current.
 *
 * @throws {@link AuthError} `auth-limit` while the origin requests a pause
 */
export function conditionsFor(
  { answers, waits }: AnswerMemory,
  { href, origin }: URL,
): Readonly<Record<string, string>> {
  const until = waits.get(origin) ?? 0;
  if (until > Date.now()) {
    throw new AuthError("auth-limit", `the server requests a pause until ${new Date(until).toISOString()}`, {
      where: quoted(href),
      expected: "a pause as long as Retry-After requires",
    });
  }
  return answers.get(href)?.conditions ?? {};
}

/**
 * Stores an answer that has an `ETag` or `Last-Modified`, removes an earlier answer, and notes a requested pause.
 * Returns the stored answer for a 304.
 *
 * @throws {@link AuthError} `auth-metadata` for a 304 without a stored answer, or with another answer's ETag
 */
export function rememberAnswer(
  { answers, waits }: AnswerMemory,
  { href, origin }: URL,
  response: Response,
  bytes: Uint8Array<ArrayBuffer>,
): Response {
  const { status, headers } = response;
  const wait = status === 429 || status === 503 ? waitOf(headers.get("retry-after")) : undefined;
  if (wait !== undefined) waits.set(origin, Date.now() + Math.min(wait, MAX_WAIT));
  const kept = answers.get(href);
  const etag = headers.get("etag") ?? undefined;
  if (status === 304) {
    if (kept !== undefined && (etag === undefined || opaque(etag) === opaque(kept.etag))) {
      return new Response(kept.bytes, { status: 200, headers: kept.headers.map(([name, value]) => [name, value]) });
    }
    answers.delete(href);
    throw new AuthError("auth-metadata", "HTTP 304 refers to no earlier answer", {
      where: quoted(href),
      expected: "304 with the ETag from the request, or the complete answer",
    });
  }
  answers.delete(href);
  const modified = headers.get("last-modified") ?? undefined;
  const conditions = {
    ...(etag !== undefined && { "if-none-match": etag }),
    ...(modified !== undefined && { "if-modified-since": modified }),
  };
  const isKept =
    status === 200 && Object.keys(conditions).length > 0 && !/no-store/i.test(headers.get("cache-control") ?? "");
  if (isKept && answers.size < MAX_ANSWERS) answers.set(href, { conditions, etag, headers: [...headers], bytes });
  return response;
}

/** Returns an ETag without the prefix that marks a weak one. */
function opaque(etag: string | undefined): string | undefined {
  return etag?.replace(/^W\//, "");
}

/** Returns the wait in milliseconds that a `Retry-After` states in seconds or as a date. */
function waitOf(value: string | null): number | undefined {
  if (value === null) return undefined;
  const wait = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return wait > 0 ? wait : undefined;
}
