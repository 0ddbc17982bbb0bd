import { setTimeout as delay } from "node:timers/promises";
import pRetry from "p-retry";
import { ProblemSchema } from "./answers/answer-schemas.ts";
import type { Connection } from "./connection.ts";
import { RegistryClientError } from "./errors.ts";
import { readBody, readJson } from "./read-body.ts";

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;
/** The longest pause that the client accepts; it does not wait for a registry that requests a longer one. */
const MAX_RETRY_AFTER_MS = 60_000;

/** A request to the registry, which may be carried out more than once. */
export interface ClientRequest {
  readonly method: "GET" | "POST" | "PATCH";
  /** The path below the registry's address, without a leading slash. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An error after which a retry may succeed. */
class TransientError extends Error {
  override readonly cause: RegistryClientError;
  /** How long the registry requests to wait. */
  readonly waitMs: number;

  constructor(cause: RegistryClientError, waitMs = 0) {
    super(cause.message);
    this.cause = cause;
    this.waitMs = waitMs;
  }
}

/**
 * Sends a request until it is answered. Returns a JSON answer as its value, and any other answer as text.
 *
 * @throws {@link RegistryClientError} `unreachable`, `refused`, `invalid-answer`, `ended`.
 */
export async function send(connection: Connection, request: ClientRequest): Promise<unknown> {
  return repeated(connection, async () => {
    const response = await fetchOnce(connection, request, AbortSignal.timeout(connection.timeoutMs));
    const body = await readBody(response).catch(asTransient);
    const isJson = /^application\/json\b/.test(response.headers.get("content-type") ?? "");
    return isJson ? readJson(body) : new TextDecoder().decode(body);
  });
}

/**
 * Sends a request for an endless answer once, and waits until the answer begins or `ending` is aborted.
 *
 * @throws any error; {@link transientOf} reports whether a retry may succeed.
 */
export async function openStream(
  connection: Connection,
  request: ClientRequest,
  ending: AbortController,
): Promise<Response> {
  const slow = setTimeout(
    () => ending.abort(new Error(`no answer in ${connection.timeoutMs} ms`)),
    connection.timeoutMs,
  );
  try {
    return await fetchOnce(connection, request, ending.signal);
  } finally {
    clearTimeout(slow);
  }
}

/**
 * Returns the client's error after a temporary failure, and how long the registry requests to wait, or `undefined` for
 * any other error.
 */
export function transientOf(
  error: unknown,
): { readonly cause: RegistryClientError; readonly waitMs: number } | undefined {
  if (error instanceof TransientError) return error;
  if (!(error instanceof RegistryClientError)) return undefined;
  const { status = 0 } = error;
  const mayPass = error.code === "unreachable" || status >= 500 || status === 408 || status === 429;
  return mayPass ? { cause: error, waitMs: 0 } : undefined;
}

async function repeated<T>({ retries, signal }: Connection, run: () => Promise<T>): Promise<T> {
  try {
    return await pRetry(run, {
      retries,
      minTimeout: FIRST_PAUSE_MS,
      maxTimeout: MAX_PAUSE_MS,
      randomize: true,
      ...(signal && { signal }),
      shouldRetry: ({ error }) => error instanceof TransientError && error.waitMs <= MAX_RETRY_AFTER_MS,
      onFailedAttempt: async ({ error, retriesLeft }) => {
        const waitMs = error instanceof TransientError && retriesLeft > 0 ? error.waitMs : 0;
        if (waitMs > 0 && waitMs <= MAX_RETRY_AFTER_MS) await delay(waitMs, undefined, { ...(signal && { signal }) });
      },
    });
  } catch (error) {
    if (signal?.aborted) throw new RegistryClientError("ended", "the request was ended", { cause: error });
    throw error instanceof TransientError ? error.cause : error;
  }
}

async function fetchOnce(
  { base, token, fetch, signal }: Connection,
  { method, path, headers, body }: ClientRequest,
  ending: AbortSignal,
): Promise<Response> {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(token !== undefined && method !== "GET" && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body }),
    redirect: "manual",
    signal: signal ? AbortSignal.any([signal, ending]) : ending,
  }).catch(asTransient);
  if (response.ok) return response;
  throw await refusalOf(response);
}

/** Turns an error of `fetch`, or of reading a body that ends too early, into a transient error. */
function asTransient(cause: unknown): never {
  if (cause instanceof RegistryClientError) throw cause;
  const { message, cause: reason } = cause instanceof Error ? cause : new Error(String(cause));
  const text = reason instanceof Error && reason.message !== "" ? reason.message : message;
  throw new TransientError(new RegistryClientError("unreachable", `the registry did not answer: ${text}`, { cause }));
}

async function refusalOf(response: Response): Promise<Error> {
  const { status, headers } = response;
  const body = await readBody(response)
    .then(readJson)
    .catch(() => undefined);
  const problem = ProblemSchema.safeParse(body).data;
  const error = problem
    ? new RegistryClientError("refused", `the registry refused: ${problem.code}: ${problem.detail}`, {
        problem,
        status,
      })
    : new RegistryClientError("invalid-answer", `expected the answer of a registry, received status ${status}`, {
        status,
      });
  const isTransient = status === 429 || (status >= 502 && status <= 504);
  return isTransient ? new TransientError(error, waitOf(headers.get("retry-after") ?? "")) : error;
}

/** Returns the pause that a `Retry-After` header (a number of seconds or a date) requests, in milliseconds. */
function waitOf(header: string): number {
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  return Math.max(0, (Date.parse(header) || 0) - Date.now());
}
