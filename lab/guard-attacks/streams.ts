import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, deflateSync, gzip, gzipSync } from "node:zlib";
import type { Attack } from "./attack.ts";
import { type Asked, answerText, called, READ, WIPE } from "./hostile-http.ts";
import type { GuardUnderAttack, World } from "./world.ts";

const ENCODINGS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  identity: (bytes) => bytes,
  gzip: gzipSync,
  "x-gzip": gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
};

const eventOf = (text: string): string => `event: message\ndata: ${text}\n\n`;

/** Sends bytes in two pieces or one by one, each in its own turn of the event loop. */
async function sendPieces(response: ServerResponse, encoding: string, bytes: Buffer, at?: number): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": encoding });
  response.socket?.setNoDelay(true);
  const pieces =
    at === undefined ? [...bytes].map((byte) => Buffer.of(byte)) : [bytes.subarray(0, at), bytes.subarray(at)];
  for (const piece of pieces) {
    response.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}

const split = (encoding: string, encode: (bytes: Buffer) => Buffer): Attack => ({
  name: `an event stream (${encoding}) is split at every byte`,
  amount: "at each place, and byte by byte",
  async run({ world, guard }) {
    let at: number | undefined = 1;
    let length = Number.POSITIVE_INFINITY;
    world.remote.attacks = {
      "tools/call": async (asked, response) => {
        const note = JSON.stringify({
          jsonrpc: "2.0",
          method: "notifications/progress",
          params: { progressToken: asked.params?._meta?.["progressToken"] ?? 0, progress: 1, message: "ä€😀" },
        });
        const bytes = encode(Buffer.from(eventOf(note) + eventOf(called(asked))));
        length = Math.min(length, bytes.length);
        await sendPieces(response, encoding, bytes, at);
      },
    };
    let [same, all] = [0, 0];
    const callOnce = async (): Promise<void> => {
      const text = await guard.call("remote", "read");
      all++;
      if (/ä€😀/.test(text) && /called read/.test(text)) same++;
    };
    for (; at < length; at++) await callOnce();
    at = undefined;
    await callOnce();
    if (same !== all) throw new Error(`${all - same} of ${all} answers differ`);
    return { ended: `${all} of ${all} answers arrive complete`, passed: 0 };
  },
});

const MIB = 1024 * 1024;

/** Bodies whose compression is nested, false, cut off or a bomb, each with the encoding that its header names. */
const NESTED: readonly (readonly [name: string, encoding: string, make: (text: string) => Buffer | Promise<Buffer>])[] =
  [
    ["compressed twice, said twice", "gzip, gzip", (text) => gzipSync(gzipSync(text))],
    ["compressed twice, said once", "gzip", (text) => gzipSync(gzipSync(text))],
    ["compressed in two ways", "gzip, br", (text) => brotliCompressSync(gzipSync(text))],
    ["not compressed, but said to be", "gzip", (text) => Buffer.from(text)],
    ["compressed in an unknown way", "zstd", (text) => Buffer.from(text)],
    ["cut off in the middle", "gzip", (text) => gzipSync(text).subarray(0, gzipSync(text).length / 2)],
    ["1 GiB in a megabyte (gzip)", "gzip", () => promisify(gzip)(Buffer.alloc(1024 * MIB, " "))],
    ["1 GiB in some kilobytes (br)", "br", () => brotliBomb()],
  ];

function brotliBomb(): Promise<Buffer> {
  return promisify(brotliCompress)(Buffer.alloc(1024 * MIB, " "), { params: { 1: 1 } });
}

const nested: Attack = {
  name: "nested, false and truncated compression, and bombs",
  amount: `${NESTED.length} kinds, as JSON and as events`,
  async run({ world, guard }) {
    let passed = 0;
    for (const [name, encoding, make] of NESTED) {
      // This process is also the client; while it is blocked, it does not notice that the guard ends an idle
      // connection.
      const bomb = /GiB/.test(name) ? await make("") : undefined;
      for (const type of ["application/json", "text/event-stream"]) {
        world.remote.attacks = {
          "tools/call": async (asked, response) => {
            const text = type === "application/json" ? called(asked) : eventOf(called(asked));
            response.writeHead(200, { "content-type": type, "content-encoding": encoding });
            response.end(bomb ?? (await make(text)));
            await once(response, "close");
          },
        };
        const text = await guard.call("remote", "read");
        if (!/"error"/.test(text)) passed++;
      }
    }
    return { ended: "each call gets an error", passed };
  },
};

type Page = (asked: Asked, page: number) => object;

const ITEM = { ...READ, description: "x".repeat(4 * MIB) };
const PAGES: readonly (readonly [name: string, amount: string, page: Page])[] = [
  [
    "a list's cursors go round in a circle of three",
    "no end",
    (_asked, page) => ({ tools: [], nextCursor: `${page % 3}` }),
  ],
  ["each page repeats the cursor of its request", "no end", () => ({ tools: [], nextCursor: "again" })],
  [
    "a list has a million pages",
    "1,000,000",
    (_asked, page) => ({ tools: [], ...(page < 1e6 && { nextCursor: `${page}` }) }),
  ],
  [
    "each page has another tool of 4 MiB",
    "no end",
    (_asked, page) => ({ tools: [{ ...ITEM, name: `tool-${page}` }], nextCursor: `${page}` }),
  ],
];

const pages = ([name, amount, page]: (typeof PAGES)[number]): Attack => ({
  name,
  amount,
  async run({ world, guard }) {
    let count = 0;
    world.remote.attacks = {
      "tools/list": (asked, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(answerText(asked, { ...page(asked, ++count), ttlMs: 0, cacheScope: "private" }));
      },
    };
    const text = await guard.call("remote", "read");
    return {
      ended: `the call is refused after ${count.toLocaleString("en")} pages`,
      passed: /called/.test(text) ? 1 : 0,
    };
  },
});

/** Attacks with a server that announces a changed list while it answers each listing. */
const restless: Attack = {
  name: "each listing is out of date before it ends",
  amount: "100 calls",
  async run({ world, guard }) {
    let listings = 0;
    world.remote.attacks = {
      "tools/list": (asked, response) => {
        listings++;
        const changed = JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
        const list = answerText(asked, { tools: [READ, WIPE], ttlMs: 0, cacheScope: "private" });
        response.writeHead(200, { "content-type": "text/event-stream" }).end(eventOf(changed) + eventOf(list));
      },
    };
    return refusedCalls(world, guard, () => `${listings} listings, no call of a new tool`);
  },
};

async function refusedCalls(world: World, guard: GuardUnderAttack, ended: () => string) {
  for (let index = 0; index < 100; index++) await guard.call("remote", "wipe");
  return { ended: ended(), passed: world.remote.wiped };
}

export const STREAMS: readonly Attack[] = [
  ...Object.entries(ENCODINGS).map(([encoding, encode]) => split(encoding, encode)),
  nested,
  ...PAGES.map(pages),
  restless,
];
