import type { Readable, Writable } from "node:stream";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { BoundedStdio } from "./bounded-stdio.ts";
import { messageLimit } from "./config.ts";
import { createServerFactory } from "./factory.ts";
import type { Services } from "./services.ts";

/** A server that answers over two streams. */
export interface StdioServer {
  /** A promise that is fulfilled when the client has closed its stream. */
  readonly ended: Promise<void>;
  /** Aborts running calls, answers them, and closes the connection. */
  readonly close: () => Promise<void>;
}

/** Serves one client over stdio, in the era that it opens with. */
export function startStdio(services: Services, stdin: Readable, stdout: Writable): StdioServer {
  const { log, calls, config } = services;
  const transport = new BoundedStdio(stdin, stdout, messageLimit(config));
  const ended = new Promise<void>((resolve) => {
    transport.onceEnded(resolve);
    stdout.once("error", () => resolve());
  });
  const handle = serveStdio(createServerFactory(services), {
    transport,
    onerror: (error) => log.warn({ reason: error.message }, "transport"),
  });
  return {
    ended,
    close: async () => {
      await calls.end();
      await handle.close();
    },
  };
}
