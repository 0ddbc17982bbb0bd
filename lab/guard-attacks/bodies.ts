import { once } from "node:events";
import { request as httpRequest, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Attack } from "./attack.ts";
import { until } from "./world.ts";

/** The number of bytes that an endless answer sends at most. */
const POURED_BYTES = 256 * 1024 * 1024;
const SPACES = Buffer.alloc(65_536, " ");

/** Writes until the reader closes the stream, or the given number of bytes is written. */
async function pour(response: ServerResponse, piece: Buffer, bytes: number): Promise<void> {
  for (let sent = 0; sent < bytes && !response.destroyed; sent += piece.length) {
    if (!response.write(piece)) await drained(response);
  }
  response.end();
}

/** Resolves when the buffer has room again or the reader has closed the stream. */
async function drained(response: ServerResponse): Promise<void> {
  const isOver = new AbortController();
  const { signal } = isOver;
  await Promise.race(["drain", "close"].map((event) => once(response, event, { signal })));
  isOver.abort();
}

/** Endless answers to a call, each with its media type, its beginning, and the piece that the server then repeats. */
const POURED: readonly (readonly [name: string, type: string, first: string, piece: Buffer])[] = [
  ["an endless JSON body", "application/json", "{", SPACES],
  ["an endless event", "text/event-stream", "data: {", SPACES],
  ["an event of empty lines", "text/event-stream", "", Buffer.from("data:\n".repeat(10_000))],
  ["unknown fields", "text/event-stream", "", Buffer.from("x:\n".repeat(20_000))],
  ["events that hold only a comment", "text/event-stream", "", Buffer.from(`:${" ".repeat(98)}\n\n`.repeat(1000))],
];

const poured: readonly Attack[] = POURED.map(([about, type, first, piece]) => ({
  name: `the server sends ${about}`,
  amount: "256 MiB",
  async run({ world, guard }) {
    world.remote.attacks = {
      "tools/call": async (_asked, response) => {
        response.writeHead(200, { "content-type": type });
        response.write(first);
        await pour(response, piece, POURED_BYTES);
      },
    };
    const text = await guard.call("remote", "read");
    await until(() => world.remote.open === 0, "the connection to the server ends");
    return { ended: /"error"/.test(text) ? "the call gets an error" : text.slice(0, 100), passed: 0 };
  },
}));

const slowAnswers: Attack = {
  name: "the server answers at one byte a second, and the client gives up",
  amount: "200 calls at once",
  async run({ world, guard }) {
    world.remote.attacks = {
      "tools/call": async (_asked, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        while (!response.destroyed) {
          response.write(" ");
          await sleep(1000);
        }
      },
    };
    const leaving = new AbortController();
    const calls = Array.from({ length: 200 }, () => guard.call("remote", "read", { signal: leaving.signal }));
    await until(() => world.remote.open === 200, "all calls have reached the server");
    leaving.abort();
    await Promise.allSettled(calls);
    await until(() => world.remote.open === 0, "the guard ends its connections, too");
    return { ended: "the guard ends all 200 calls at the server", passed: 0 };
  },
};

const slowListing: Attack = {
  name: "the server answers the guard's own listing at one byte a second",
  amount: "100 calls at once",
  async run({ world, guard }) {
    world.remote.attacks = {
      "tools/list": async (_asked, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        while (!response.destroyed) {
          response.write(" ");
          await sleep(1000);
        }
      },
    };
    const texts = await Promise.all(Array.from({ length: 100 }, () => guard.call("remote", "read")));
    const passed = texts.filter((text) => /called/.test(text)).length;
    return { ended: "every call is refused once a listing reaches its time limit", passed };
  },
};

const slowRequests: Attack = {
  name: "clients send half a message and wait",
  amount: "1,000 connections",
  async run({ guard }) {
    const headers = { "content-type": "application/json", "content-length": "1000000" };
    const half = Array.from({ length: 1000 }, () => {
      const request = httpRequest(`${guard.url}/remote`, { method: "POST", headers });
      request.on("error", () => undefined).write(`{"jsonrpc":"2.0","id":1,${" ".repeat(1000)}`);
      return request;
    });
    const served = await guard.call("remote", "read");
    for (const request of half) request.destroy();
    return { ended: /called/.test(served) ? "other clients are served meanwhile" : served.slice(0, 100), passed: 0 };
  },
};

const endlessRequest: Attack = {
  name: "clients send an endless message",
  amount: "4 × 512 MiB",
  async run({ guard }) {
    const ends = Array.from({ length: 4 }, () => sendEndless(`${guard.url}/remote`));
    const statuses = await Promise.all(ends);
    return { ended: `each request gets ${[...new Set(statuses)].join(", ")}, and its connection ends`, passed: 0 };
  },
};

/** Sends a request whose body does not end; returns the response's status. */
function sendEndless(url: string): Promise<string> {
  return new Promise((resolve) => {
    let status = "no status";
    const request = httpRequest(url, { method: "POST", headers: { "content-type": "application/json" } });
    request.on("response", (response) => {
      status = String(response.statusCode);
      response.resume();
    });
    request.on("error", () => undefined).on("close", () => resolve(status));
    let sent = 0;
    const write = (): void => {
      while (!request.destroyed && sent < 512 * 1024 * 1024) {
        sent += SPACES.length;
        if (!request.write(SPACES)) {
          request.once("drain", write);
          return;
        }
      }
      request.end();
    };
    write();
  });
}

export const BODIES: readonly Attack[] = [...poured, slowAnswers, slowListing, slowRequests, endlessRequest];
