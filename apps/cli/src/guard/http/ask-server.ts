import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import { pipeline, type Readable, type Transform } from "node:stream";
import { urlToHttpOptions } from "node:url";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { endWith } from "./end-with.ts";

/** In milliseconds: how long a server may take to be reached, and how long it may be silent. */
const REACHED_WITHIN = 10_000;
const SILENT_FOR = 300_000;

/** What a server is asked. */
interface ServerQuestion {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
}

/** What a server answers. */
export interface ServerAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Without the encoding that the server chose. */
  readonly body: Readable;
}

/**
 * Asks a server, whose connections are kept for the next question.
 *
 * @param open Has the request as long as it goes on: whoever destroys it ends it.
 * @throws {@link Error} when the server cannot be reached, sends the client elsewhere, or encodes in an unknown way
 */
export type AskServer = (question: ServerQuestion, open: Set<ClientRequest>) => Promise<ServerAnswer>;

/** Whether a status says that the server did what it was asked. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** How the server at an address is asked. */
export function serverAt(address: string): AskServer {
  const url = new URL(address);
  const place = { ...urlToHttpOptions(url), timeout: SILENT_FOR };
  const request = url.protocol === "https:" ? overHttps : overHttp;
  return ({ method, headers, body }, open) =>
    new Promise((resolve, reject) => {
      const asked = request({ ...place, method, headers: { "accept-encoding": "gzip, deflate, br", ...headers } });
      open.add(asked);
      asked.on("close", () => open.delete(asked));
      asked.on("error", reject);
      asked.on("timeout", () => asked.destroy(new Error("the server is silent")));
      asked.on("socket", (socket) => {
        if (!socket.connecting) return;
        const late = setTimeout(() => asked.destroy(new Error("the server is not reached")), REACHED_WITHIN);
        for (const end of ["connect", "close"]) socket.once(end, () => clearTimeout(late));
      });
      asked.on("response", (answered) => {
        try {
          resolve(answerOf(answered));
        } catch (error) {
          asked.destroy();
          reject(error);
        }
      });
      if (body === undefined) asked.end();
      else endWith(asked, body);
    });
}

function answerOf(answered: IncomingMessage): ServerAnswer {
  const { statusCode: status = 0, headers } = answered;
  // A redirect would take the client's authorization elsewhere.
  if (status >= 300 && status < 400 && headers.location !== undefined) throw new Error("the server redirects");
  return { status, headers, body: decoded(answered, headers["content-encoding"]) };
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
  if (decoder === undefined) throw new Error("the answer has an unknown encoding");
  // Whoever reads learns of an error.
  return pipeline(body, decoder, () => undefined);
}
