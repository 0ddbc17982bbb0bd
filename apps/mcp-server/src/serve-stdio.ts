import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { createServerFactory } from "./factory.ts";
import type { Services } from "./services.ts";

/** Bytes of one message: a text of the longest length that is hashed, each of its bytes escaped. */
const MAX_ESCAPED_BYTE = 6;
const MESSAGE_OVERHEAD = 2 ** 20;

/** A server that answers over two streams. */
export interface StdioServer {
  /** Fulfilled when the client has closed its stream. */
  readonly ended: Promise<void>;
  /** Ends running calls, answers them, and closes the connection. */
  readonly close: () => Promise<void>;
}

/** Serves one client over stdio, in the era that it opens with. */
export function startStdio(services: Services, stdin: Readable, stdout: Writable): StdioServer {
  const { log, calls, config } = services;
  const transport = new StdioServerTransport(stdin, stdout, {
    maxBufferSize: config.hash_limit * MAX_ESCAPED_BYTE + MESSAGE_OVERHEAD,
  });
  const ended = new Promise<void>((resolve) => {
    stdin.once("end", resolve);
    stdin.once("close", resolve);
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
