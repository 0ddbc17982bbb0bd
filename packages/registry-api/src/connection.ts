import { checkArgument } from "./check-argument.ts";
import { RegistryClientError } from "./errors.ts";

/** How a client reaches a registry. */
export interface RegistryClientOptions {
  /** The registry's address: `https:`, or `http:` to this machine if there is a token. */
  readonly url: string;
  /** A key for the registry, `hsk_…`; only publishing needs one. */
  readonly token?: string;
  /**
   * How often a request is retried after a temporary failure; default 4. `hear` uses it only until its stream has
   * begun; after that, and by default even before, `hear` waits indefinitely.
   */
  readonly retries?: number;
  /** How long one attempt may take, in milliseconds; default 30,000. */
  readonly timeoutMs?: number;
  /** Aborts every request and every stream of the client. */
  readonly signal?: AbortSignal;
  /**
   * Remembers the registry's key and the last version of each agent; without a memory, answers are not compared with
   * earlier ones.
   */
  readonly memory?: ClientMemory;
  /** Whether a history that differs from the remembered one is accepted and replaces it; default false. */
  readonly acceptRollback?: boolean;
  /** Sends requests. Default: `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** Where a client keeps its memory, such as a file. */
export interface ClientMemory {
  /** Returns the text that was written last; `undefined` before the first write. */
  readonly read: () => Promise<string | undefined>;
  readonly write: (text: string) => Promise<void>;
  /** Runs a function that reads and then writes while no other client does so; absent if there is only one client. */
  readonly exclusive?: <T>(run: () => Promise<T>) => Promise<T>;
}

/** The options of a client with their defaults. */
export interface Connection {
  /** Ends with a slash. */
  readonly base: string;
  readonly token: string | undefined;
  readonly retries: number;
  /** How often a stream that has not begun yet is opened again. */
  readonly startRetries: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly memory: ClientMemory | undefined;
  readonly acceptRollback: boolean;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

const LOCAL = new Set(["127.0.0.1", "[::1]", "localhost"]);

/**
 * @throws {@link RegistryClientError} `invalid-option` when the address cannot be a registry's, or would show the
 * token.
 */
export function connectionOf(options: RegistryClientOptions): Connection {
  checkArgument("options", options, "object");
  const { token, retries = 4, timeoutMs = 30_000, signal, memory, fetch = globalThis.fetch } = options;
  const { acceptRollback = false } = options;
  const url = URL.canParse(options.url) ? new URL(options.url) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "" || url.search !== "") {
    throw new RegistryClientError(
      "invalid-option",
      "expected the http: or https: URL of a registry, without user and query",
    );
  }
  if (token !== undefined && url.protocol === "http:" && !LOCAL.has(url.hostname)) {
    throw new RegistryClientError("invalid-option", `a key is not sent to ${url.origin}: expected https:`);
  }
  if (token !== undefined && !/^[\w.~+/=-]+$/.test(token)) {
    throw new RegistryClientError("invalid-option", "expected a token of letters, digits and -._~+/=");
  }
  const base = `${url.origin}${url.pathname.replace(/\/*$/, "/")}`;
  const startRetries = options.retries ?? Number.POSITIVE_INFINITY;
  return { base, token, retries, startRetries, timeoutMs, signal, memory, acceptRollback, fetch };
}
