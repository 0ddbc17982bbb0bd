import type { RequestListener, Server } from "node:http";
import type { Socket } from "node:net";
import { BoundConnection } from "./bound-connection.ts";
import { readSendQueues } from "./send-queues.ts";
import { Turns } from "./turns.ts";

/** How long a client may take no byte of an answer, in milliseconds. */
const SILENT_MS = 30_000;
/** How often silent clients are looked for, in milliseconds. */
const LOOK_MS = 1000;

/** The bounds for a server's connections. */
export interface ConnectionBounds {
  /** How long a client may take no byte of a pending answer, in milliseconds; 30 seconds by default. */
  readonly silentMs?: number;
  /**
   * The path of a request that costs nothing and is needed most when the server is busy. Such a request is handled when
   * it arrives; every other request has to wait for its turn.
   */
  readonly urgentPath?: string;
}

/**
 * Limits what clients that do not read cost a Node server: while bytes of an answer are still in the process, the
 * connection's next request is not handled, and nothing beyond it is read; the event loop handles one request per turn;
 * and a connection whose client takes no byte of an answer for 30 seconds is ended. Call this function after adding the
 * request listeners and before the server listens.
 *
 * @example
 * import { createServer } from "node:http";
 * const server = createServer((_request, response) => void response.end("ok"));
 * boundConnections(server);
 */
export function boundConnections(server: Server, { silentMs = SILENT_MS, urgentPath }: ConnectionBounds = {}): void {
  const handlers = server.listeners("request") as RequestListener[];
  const turns = new Turns();
  const connections = new Map<Socket, BoundConnection>();
  server.removeAllListeners("request");
  server.on("connection", (socket) => {
    connections.set(socket, new BoundConnection(socket, turns));
    socket.once("close", () => connections.delete(socket));
  });
  server.on("request", (request, response) => {
    const handle = (): void => {
      for (const handler of handlers) handler.call(server, request, response);
    };
    connections.get(request.socket)?.add({ request, response, handle }, request.url === urgentPath);
  });
  const look = async (): Promise<void> => {
    const now = performance.now();
    const silent = [...connections.values()].filter((connection) => connection.silentSince(now) !== undefined);
    if (silent.length === 0) return;
    const queues = await readSendQueues();
    for (const connection of silent) connection.endIfSilent(now, silentMs, queues);
  };
  const looking = setInterval(() => void look(), LOOK_MS).unref();
  server.on("close", () => clearInterval(looking));
}
