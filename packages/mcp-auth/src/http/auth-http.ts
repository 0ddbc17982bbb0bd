import { lookup as lookupHost } from "node:dns/promises";
import { Agent, type Dispatcher, EnvHttpProxyAgent, fetch as undiciFetch } from "undici";
import { AuthError } from "../errors.ts";
import { MAX_ANSWER_BYTES, REQUEST_TIMEOUT } from "../limits.ts";
import { type AnswerMemory, conditionsFor, rememberAnswer } from "./answer-memory.ts";
import { lookupWithin } from "./lookup-within.ts";
import { quoted } from "./quoted.ts";
import { isLoopback, literalAddress, mayName, type Reach, reachOf } from "./reach.ts";

/** A request to an address that a server has named. */
export interface AuthRequest {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | URLSearchParams | undefined;
}

/** Sends a login's requests. It refuses every address that the server may not name. */
export interface AuthHttp {
  /**
   * Parses and returns an address that a server named.
   *
   * @param what The role of the address, for the error message
   * @throws {@link AuthError} `auth-address` unless the address is https, or loopback http and named by a server that
   * is itself on loopback
   */
  address(named: string, what: string): URL;
  /**
   * Sends a request and returns the response with its complete body. Redirects are not followed. With a memory, a GET
   * without a token fetches only what has changed, and a 304 returns the stored answer.
   *
   * @throws {@link AuthError} `auth-address` for a refused address or a redirect, `auth-limit` for a body that is too
   * large or a wait that is too long
   */
  fetch(url: string, request?: AuthRequest): Promise<Response>;
  /** Ends the connections. */
  close(): Promise<void>;
}

/**
 * Returns a server's reach, which is the reach of its nearest address. A name that only a proxy can resolve is public.
 */
export async function reachOfServer(server: URL): Promise<Reach> {
  const literal = literalAddress(server);
  if (literal !== undefined) return reachOf(literal);
  if (isLoopback(server)) return "loopback";
  const found = await lookupHost(server.hostname, { all: true }).catch(() => []);
  return found.some(({ address }) => reachOf(address) === "private") ? "private" : "public";
}

/**
 * Returns the client for requests to addresses that a server with the given reach may name. The client uses a proxy if
 * Node's fetch does.
 */
export function createAuthHttp(server: Reach, signal?: AbortSignal, memory?: AnswerMemory): AuthHttp {
  const options = { connect: { lookup: lookupWithin(server) } };
  const dispatcher = process.env["NODE_USE_ENV_PROXY"] === "1" ? new EnvHttpProxyAgent(options) : new Agent(options);
  return new GuardedHttp(server, dispatcher, signal, memory);
}

class GuardedHttp implements AuthHttp {
  readonly #server: Reach;
  readonly #dispatcher: Dispatcher;
  readonly #signal: AbortSignal | undefined;
  readonly #memory: AnswerMemory | undefined;

  constructor(
    server: Reach,
    dispatcher: Dispatcher,
    signal: AbortSignal | undefined,
    memory: AnswerMemory | undefined,
  ) {
    this.#memory = memory;
    this.#server = server;
    this.#dispatcher = dispatcher;
    this.#signal = signal;
  }

  address(named: string, what: string): URL {
    const refuse = (why: string): AuthError =>
      new AuthError("auth-address", `${what} is refused: ${why}`, {
        where: quoted(named),
        expected: "an https address without user information, no nearer to this machine than the server",
      });
    if (!URL.canParse(named)) throw refuse("it is not an absolute URL");
    const url = new URL(named);
    if (url.username !== "" || url.password !== "") throw refuse("it has user information");
    const literal = literalAddress(url);
    const reach = isLoopback(url) ? "loopback" : literal === undefined ? "public" : reachOf(literal);
    if (!mayName(this.#server, reach)) throw refuse(`a ${this.#server} server names a ${reach} address`);
    if (url.protocol === "https:" || (url.protocol === "http:" && reach === "loopback")) return url;
    throw refuse("it is not https");
  }

  async fetch(url: string, { method = "GET", headers, body }: AuthRequest = {}): Promise<Response> {
    const place = this.address(url, "an address of the authorization");
    const limit = AbortSignal.timeout(REQUEST_TIMEOUT);
    const signal = this.#signal === undefined ? limit : AbortSignal.any([limit, this.#signal]);
    const isPublic = method === "GET" && headers?.["authorization"] === undefined;
    const memory = isPublic ? this.#memory : undefined;
    try {
      const response = await undiciFetch(place, {
        method,
        headers: { ...headers, ...(memory && conditionsFor(memory, place)) },
        redirect: "manual",
        dispatcher: this.#dispatcher,
        signal,
        ...(body !== undefined && { body: body.toString() }),
      });
      const { status } = response;
      if (status >= 300 && status <= 399 && !(status === 304 && memory)) {
        await response.body?.cancel();
        throw new AuthError("auth-address", `redirects are not followed: HTTP ${status}`, {
          where: quoted(url),
          expected: "an answer from the address itself",
        });
      }
      const bytes = await readLimited(response.body, url);
      const empty = status === 204 || status === 205 || status === 304;
      const whole = new Response(empty ? null : bytes, { status, headers: [...response.headers] });
      return memory ? rememberAnswer(memory, place, whole, bytes) : whole;
    } catch (error) {
      throw failure(error, url, limit.aborted);
    }
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }
}

async function readLimited(body: AsyncIterable<Uint8Array> | null, url: string): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) {
      throw new AuthError("auth-limit", `the answer is longer than ${MAX_ANSWER_BYTES} bytes`, { where: quoted(url) });
    }
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function failure(error: unknown, url: string, late: boolean): unknown {
  if (error instanceof AuthError) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof AuthError) return cause;
  if (late) return new AuthError("auth-limit", `no answer within ${REQUEST_TIMEOUT / 1000} s`, { where: quoted(url) });
  const reason = cause instanceof Error ? cause.message || cause.name : "the thrown value is not an error";
  return new AuthError("auth-metadata", `the request failed: ${quoted(reason)}`, { where: quoted(url), cause: error });
}
