import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

/** A server on a free port of the loopback address. */
export interface Listening extends AsyncDisposable {
  readonly origin: string;
  /** Sets the handler, which needs to know the origin. */
  handle: RequestListener;
  /** Sets the handler of `CONNECT`. */
  connect(handle: (request: IncomingMessage, socket: Duplex) => void): void;
}

export async function listening(): Promise<Listening> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const running: Listening = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    handle: (_, response) => response.writeHead(404).end(),
    connect: (handle) => void server.on("connect", handle),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  server.on("request", (request, response) => running.handle(request, response));
  return running;
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
