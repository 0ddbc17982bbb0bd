import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";

/** The number of bodies of maximum size that are held in memory at the same time. */
const BODIES_AT_ONCE = 4;

/** Why a body is refused. */
export type BodyRefusal = { readonly status: 413; readonly limit: number } | { readonly status: 503 };

/** A request whose body was read, in the form that a handler of `IncomingMessage` expects. */
export type ReadRequest = Readable & Pick<IncomingMessage, "headers" | "method" | "url">;

interface Body {
  readonly chunks: Buffer[];
  bytes: number;
}

/**
 * Reads request bodies of up to `limit` bytes each, and up to four times as many bytes together, so that no number of
 * clients exhausts the memory.
 */
export class BodyReader {
  readonly #limit: number;
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Reads a request's body and passes it to `handle`, or answers with the reason for a refusal. A client that has
   * disconnected gets no answer. The memory is freed when `handle` has ended.
   */
  async read(
    request: IncomingMessage,
    handle: (request: ReadRequest) => Promise<void>,
    refuse: (refusal: BodyRefusal) => void,
  ): Promise<void> {
    const body: Body = { chunks: [], bytes: 0 };
    try {
      const refusal = await this.#collect(request, body).catch(() => undefined);
      if (refusal) return refuse(refusal);
      if (!request.readableEnded) return;
      const { headers, method, url } = request;
      const read = Object.assign(Readable.from(body.chunks, { objectMode: false }), { headers, method, url });
      await handle(read as ReadRequest);
    } finally {
      this.#bytes -= body.bytes;
    }
  }

  async #collect(request: IncomingMessage, body: Body): Promise<BodyRefusal | undefined> {
    const tooLarge = { status: 413, limit: this.#limit } as const;
    if (Number(request.headers["content-length"] ?? 0) > this.#limit) return tooLarge;
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      body.bytes += chunk.length;
      this.#bytes += chunk.length;
      if (body.bytes > this.#limit) return tooLarge;
      if (this.#bytes > this.#limit * BODIES_AT_ONCE) return { status: 503 };
      body.chunks.push(chunk);
    }
    return undefined;
  }
}

/**
 * Answers a request whose body was not read completely. The connection closes only when the client has sent the rest,
 * which is discarded: a client that is still sending would otherwise see a broken connection instead of the answer. The
 * server's time limit for a request ends it in any case.
 */
export function answerEarly(request: IncomingMessage, response: ServerResponse, write: () => void): void {
  response.setHeader("connection", "close");
  write();
  const end = (): void => void response.end();
  if (request.readableEnded || request.destroyed) end();
  else request.once("end", end).once("close", end).resume();
}
