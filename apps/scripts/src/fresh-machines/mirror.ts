import http from "node:http";
import https from "node:https";
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

/**
 * Connections to a registry, which are kept for the next requests. Without a limit, each of a package manager's requests
 * opens its own and resolves the host name again, until the queue of lookups is longer than the time limit.
 */
const CONNECTIONS = { keepAlive: true, maxSockets: 16 };
const AGENTS = { "http:": new http.Agent(CONNECTIONS), "https:": new https.Agent(CONNECTIONS) };

interface Question {
  readonly method: string;
  readonly headers: http.OutgoingHttpHeaders;
  readonly body: Buffer;
}

async function ask(from: URL, question: Question, tries = MAX_TRIES): Promise<Answer> {
  try {
    return await askOnce(from, question);
  } catch (error) {
    if (tries <= 1) throw error;
    return ask(from, question, tries - 1);
  }
}

function askOnce(from: URL, { method, headers, body }: Question): Promise<Answer> {
  const isPlain = from.protocol === "http:";
  const agent = AGENTS[isPlain ? "http:" : "https:"];
  const signal = AbortSignal.timeout(ATTEMPT_MS);
  return new Promise((resolve, reject) => {
    const sent = (isPlain ? http : https).request(from, { agent, method, headers, signal }, (answer) => {
      const { statusCode: status = 0, headers: received } = answer;
      const type = received["content-type"] ?? "";
      buffer(answer).then((bytes) => resolve({ status, type, body: bytes }), reject);
    });
    // Also after the response began: the time limit then ends the request with an error.
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Starts a mirror that asks `upstream` for each path, and gives every tarball an address on the mirror. */
export async function startMirror(upstream: string): Promise<Mirror> {
  const answered = new Map<number, number>();
  const server = http.createServer(async (request, response) => {
    try {
      const { method = "GET", headers } = request;
      const body = await buffer(request);
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
