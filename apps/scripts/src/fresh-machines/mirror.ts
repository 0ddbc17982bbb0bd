import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A mirror of an npm registry on the loopback address. */
export interface Mirror extends AsyncDisposable {
  /** Its address, with a slash at the end. */
  readonly url: string;
  /** How many requests it answered, by status. */
  readonly answered: ReadonlyMap<number, number>;
}

/** The most attempts to reach a registry: on a busy machine a connection can exceed its time limit. */
const MAX_TRIES = 5;
/** The time limit of an attempt in milliseconds, including the body: an answer that stops midway would block an installation. */
const ATTEMPT_MS = 30_000;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

async function ask(from: URL, request: RequestInit, tries = MAX_TRIES): Promise<Answer> {
  try {
    const answer = await fetch(from, { ...request, signal: AbortSignal.timeout(ATTEMPT_MS) });
    const body = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, type: answer.headers.get("content-type") ?? "", body };
  } catch (error) {
    if (tries <= 1) throw error;
    return ask(from, request, tries - 1);
  }
}

/** Starts a mirror that asks `upstream` for each path, and gives every tarball an address on the mirror. */
export async function startMirror(upstream: string): Promise<Mirror> {
  const answered = new Map<number, number>();
  const server = createServer(async (request, response) => {
    try {
      const { method = "GET", headers } = request;
      const body = method === "GET" || method === "HEAD" ? null : new Uint8Array(await buffer(request));
      const { accept = "*/*" } = headers;
      const type = headers["content-type"];
      const from = new URL((request.url ?? "/").slice(1), upstream);
      const answer = await ask(from, { method, body, headers: { accept, ...(type && { "content-type": type }) } });
      const bytes = answer.type.includes("json") ? answer.body.toString().replaceAll(upstream, url) : answer.body;
      answered.set(answer.status, (answered.get(answer.status) ?? 0) + 1);
      response.writeHead(answer.status, { "content-type": answer.type }).end(bytes);
    } catch (error) {
      answered.set(502, (answered.get(502) ?? 0) + 1);
      response.writeHead(502).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    answered,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
