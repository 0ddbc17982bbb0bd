import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { basicCredentials } from "@agentprint/mcp-visit";
import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";

/** The limits, in milliseconds, for the time to reach a server and for its silence. */
const REACHED_WITHIN = 10_000;
const SILENT_FOR = 300_000;

/** An HTTP request to a server. */
interface ServerQuestion {
  readonly method: "DELETE" | "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
}

/** The HTTP response of a server. */
export interface ServerAnswer {
  readonly status: number;
  readonly headers: ServerHeaders;
  /** The body, which is already decoded if the server encoded it. */
  readonly body: Readable;
}

/** The error for an answer that the guard does not read. Its message contains no text from the server. */
export class UnreadAnswer extends Error {
  override readonly name: string = "UnreadAnswer";
}

/** Headers by lowercase name; repeated headers are joined by commas. */
type ServerHeaders = Readonly<Record<string, string>>;

/**
 * Sends a request to a server and keeps the connection for the next request.
 *
 * @param open Holds the request's controller while the request lasts; aborting the controller ends the request
 * @throws {@link Error} when the server cannot be reached, redirects, or uses an unknown encoding
 */
export type AskServer = (question: ServerQuestion, open: Set<AbortController>) => Promise<ServerAnswer>;

/** Returns whether a status signals success. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Returns the requester for an address. It uses a proxy if Node's own fetch, with which servers are visited, does. */
export function serverAt(address: string): AskServer {
  const url = new URL(address);
  const { origin } = url;
  const path = url.pathname + url.search;
  const added = { "accept-encoding": "gzip, deflate, br", ...basicCredentials(url) };
  const options = { connect: { timeout: REACHED_WITHIN }, headersTimeout: SILENT_FOR, bodyTimeout: SILENT_FOR };
  const agent = process.env["NODE_USE_ENV_PROXY"] === "1" ? new EnvHttpProxyAgent(options) : new Agent(options);
  return async ({ method, headers: given, body = null }, open) => {
    const ending = new AbortController();
    open.add(ending);
    try {
      const headers = { ...added, ...given };
      const answered = await agent.request({ origin, path, method, headers, body, signal: ending.signal });
      // The body's reader gets its errors; this listener catches errors of a body that is no longer read.
      answered.body.on("error", () => undefined).on("close", () => open.delete(ending));
      return answerOf(answered);
    } catch (error) {
      open.delete(ending);
      ending.abort();
      throw error;
    }
  };
}

function answerOf({ statusCode: status, headers: given, body }: Dispatcher.ResponseData): ServerAnswer {
  const headers = joined(given);
  // A redirect would take the client's authorization elsewhere.
  if (status >= 300 && status < 400 && headers["location"] !== undefined)
    throw new UnreadAnswer("the server redirects");
  return { status, headers, body: decoded(body, headers["content-encoding"]) };
}

function joined(headers: Dispatcher.ResponseData["headers"]): ServerHeaders {
  const own: Record<string, string> = {};
  for (const name in headers) own[name] = String(headers[name]);
  return own;
}

const DECODERS: Readonly<Record<string, () => Transform>> = {
  br: createBrotliDecompress,
  deflate: createInflate,
  gzip: createGunzip,
  "x-gzip": createGunzip,
};

function decoded(body: Readable, encoding = "identity"): Readable {
  const name = encoding.trim().toLowerCase();
  if (name === "identity") return body;
  const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name]?.() : undefined;
  if (decoder === undefined) throw new UnreadAnswer("the answer has an unknown encoding");
  // The reader gets the error.
  return pipeline(body, decoder, () => undefined);
}
