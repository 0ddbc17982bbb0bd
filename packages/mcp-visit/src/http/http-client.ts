import { printable } from "@agentprint/canonical-json";
import type { RpcError } from "@agentprint/mcp";
import { ByteBudget } from "../channel/byte-budget.ts";
import { parseMessages } from "../channel/parse-message.ts";
import { VisitError } from "../errors.ts";
import { MAX_AUTHORIZATIONS, MAX_BODY_QUOTED_BYTES, MAX_REDIRECTS } from "../limits.ts";
import type { HttpAuthorization, HttpTarget } from "../target.ts";
import { authorizedHeaders, isSentAgain } from "./authorized.ts";
import { basicCredentials } from "./basic-credentials.ts";

export interface HttpCall {
  readonly method: "GET" | "POST" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** A response, and the headers that its request was authorized with. */
interface AuthorizedResponse {
  readonly response: Response;
  readonly sent: Readonly<Record<string, string>>;
}

/** Sends requests with a target's headers, only to the target's origin, and counts the bytes of the responses. */
export class HttpClient {
  readonly budget: ByteBudget;
  readonly url: URL;
  readonly #headers: Headers;
  readonly #authorization: HttpAuthorization | undefined;

  /** @throws {@link VisitError} `invalid-target` if the URL is not HTTP or a header cannot be sent. */
  constructor(target: HttpTarget, userAgent: string, maxBytes: number) {
    if (!URL.canParse(target.url) || !/^https?:$/.test(new URL(target.url).protocol)) {
      throw new VisitError("invalid-target", "this is not an HTTP address", {
        where: shown(target.url),
        expected: "https://host/path",
      });
    }
    this.url = new URL(target.url);
    this.budget = new ByteBudget(maxBytes);
    this.#authorization = target.authorization;
    this.#headers = new Headers({ "user-agent": userAgent, ...basicCredentials(this.url) });
    // `fetch` refuses user information in a URL.
    this.url.username = "";
    this.url.password = "";
    for (const [name, value] of Object.entries(target.headers)) setHeader(this.#headers, name, value);
  }

  /**
   * Sends a request, repeats it if the authorization wants that, and follows redirects. A failure caused by `signal` is
   * rethrown.
   *
   * @throws {@link VisitError} `server-unreachable` if there is no response, or a redirect that is not followed;
   * `server-unauthorized` if the authorization does not work for the server.
   */
  async fetch(call: HttpCall, url: URL = this.url): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const { response, sent } = await this.#fetchAuthorized(call, url);
      const again = attempt < MAX_AUTHORIZATIONS && (await isSentAgain(this.#authorization, response, sent));
      if (!again) return response;
      await response.body?.cancel();
    }
  }

  async #fetchAuthorized(call: HttpCall, url: URL): Promise<AuthorizedResponse> {
    let place = url;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const sent = await authorizedHeaders(this.#authorization, { method: call.method, address: place.href });
      const response = await this.#fetchOnce({ ...call, headers: { ...call.headers, ...sent } }, place);
      const location = response.headers.get("location");
      if (response.status < 300 || response.status > 399 || location === null) return { response, sent };
      await response.body?.cancel();
      place = this.#redirected(response.status, location, place, call);
    }
    throw new VisitError("server-unreachable", `the server redirects more than ${MAX_REDIRECTS} times`, {
      expected: "an MCP server at this address",
    });
  }

  async #fetchOnce(call: HttpCall, url: URL): Promise<Response> {
    const headers = new Headers(this.#headers);
    for (const [name, value] of Object.entries(call.headers)) setHeader(headers, name, value);
    const { method, body, signal } = call;
    try {
      return await fetch(url, { method, headers, signal, redirect: "manual", ...(body !== undefined && { body }) });
    } catch (error) {
      if (signal.aborted) throw error;
      throw unreachable(error);
    }
  }

  /**
   * Returns the target of a redirect. Headers can be credentials, so no other origin receives them; only 307 and 308
   * keep the method and the body.
   */
  #redirected(status: number, location: string, from: URL, { method }: HttpCall): URL {
    const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
    const kept = status === 307 || status === 308 || method === "GET";
    if (to !== undefined && to.origin === from.origin && to.username === "" && kept) return to;
    throw new VisitError("server-unreachable", `the server redirects to ${shown(location)} with HTTP ${status}`, {
      expected: "an answer from the same origin, or a redirect within it with 307 or 308",
      fix: "visit that address itself if it is the server's",
      httpStatus: status,
    });
  }
}

/** Sets a header whose value is never quoted in an error. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new VisitError("invalid-target", `the request header ${name} cannot be sent`, {
      expected: "a header name, and a value without line breaks and control characters",
    });
  }
}

/** Returns the reason for an error that has no message: its code, or else its name. */
function codeOf(cause: Error): string {
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.name;
}

function unreachable(error: unknown): VisitError {
  const { message, cause } = error instanceof Error ? error : new Error("the thrown value is not an error");
  const reason = cause instanceof Error ? `${message}: ${cause.message || codeOf(cause)}` : message;
  return new VisitError("server-unreachable", `the request to the server failed: ${shown(reason)}`, {
    expected: "an MCP server at this address",
    fix: "check the URL and that the server is running; a header that it needs belongs in its entry, or is passed with --header NAME",
    cause: error,
  });
}

/**
 * Returns the error for a response with a failure status: a JSON-RPC error, or the status with the beginning of the
 * body.
 */
export async function refusal(response: Response, budget: ByteBudget): Promise<VisitError> {
  const body = await readBody(response, budget);
  const error = rpcErrorIn(response, body);
  return error === undefined ? httpFailure(response, body) : rpcFailure(error, response.status);
}

/** Returns a JSON-RPC error as a `VisitError`. */
export function rpcFailure(error: RpcError, httpStatus?: number): VisitError {
  return new VisitError("server-error", `error ${error.code}: ${shown(error.message)}`, {
    expected: "a result",
    rpcCode: error.code,
    rpcData: error.data,
    httpStatus,
  });
}

function rpcErrorIn(response: Response, body: Uint8Array): RpcError | undefined {
  if (mediaType(response) !== "application/json") return undefined;
  try {
    const [message] = parseMessages(body);
    return message && "error" in message ? message.error : undefined;
  } catch (error) {
    if (error instanceof VisitError) return undefined;
    throw error;
  }
}

function httpFailure(response: Response, body: Uint8Array): VisitError {
  const { status } = response;
  const said = Buffer.from(body.subarray(0, MAX_BODY_QUOTED_BYTES)).toString().trim();
  // An import of node:http would load it for stdio servers too, and loading it takes about as long as starting Node.
  const { STATUS_CODES } = process.getBuiltinModule("node:http");
  const answer = [`HTTP ${status} ${STATUS_CODES[status] ?? ""}`.trim(), shown(said)].filter((part) => part).join(": ");
  const denied = status === 401 || status === 403;
  return new VisitError("server-unreachable", `the server answered ${answer}`, {
    expected: "an MCP server at this address",
    fix: denied
      ? "log in with agentprint login <url>, or pass credentials with --header <NAME>, read from AGENTPRINT_HEADER_<NAME>"
      : "check the URL and that the server is running; a header that it needs belongs in its entry, or is passed with --header NAME",
    httpStatus: status,
  });
}

/** Reads a whole body. */
export async function readBody(response: Response, budget: ByteBudget): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of chunksOf(response, budget)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Yields the chunks of a body as they arrive.
 *
 * @throws {@link VisitError} `server-unreachable` if the connection breaks.
 */
export async function* chunksOf(response: Response, budget: ByteBudget): AsyncGenerator<Uint8Array, void> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw error instanceof Error && error.name === "AbortError" ? error : unreachable(error);
      });
      if (done) return;
      budget.spend(value.length);
      yield value;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** Returns the media type of a response, without parameters. */
export function mediaType(response: Response): string {
  return (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Returns the beginning of a server's text, escaped so that it is safe to print. */
export function shown(text: string): string {
  return printable(text, 300);
}
