import { createHash } from "node:crypto";
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toolkit } from "@agentprint/agent-capabilities";
import { createJsonHasher, hashCanonical, hashJson } from "@agentprint/canonical-json";
import type { ThoughtRecord } from "@agentprint/trail";
import { verifyThoughtLines } from "@agentprint/trail/chain";
import rfc8785 from "canonicalize";
import { naiveToolkitHash, renewed, tools } from "../bench/agent-capabilities.ts";
import { record } from "../bench/corpora.ts";
import { chainBlocks, naive, parsedLines } from "../bench/trail.ts";
import type { Line, Plot } from "./measure-line.ts";

/** V8 has no strings longer than 2^29 code units. */
const MOST_STRING = 1e8;
/** Text longer than this is passed in pieces. */
const MOST_TEXT = 1e7;
const DISTINCT = 1000;

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const powers = (from: number, to: number): number[] =>
  Array.from({ length: Math.round(Math.log10(to / from)) + 1 }, (_, power) => from * 10 ** power);

/** Returns the lines for values in memory, which include canonicalize 5.1.0 and the platform's writer. */
function valueLines(make: (size: number) => unknown, most = Number.POSITIVE_INFINITY): Line[] {
  const line = (name: string, hash: (value: unknown) => unknown): Line => ({
    name,
    make: (size) => {
      const value = make(size);
      return () => hash(value);
    },
  });
  return [
    line("agentprint", hashCanonical),
    { ...line("canonicalize 5.1.0 + SHA-256", (value) => sha256(rfc8785(value) as string)), most },
    {
      ...line("JSON.stringify + SHA-256, not canonical", (value) => sha256(JSON.stringify(value))),
      most,
      isLimit: true,
    },
  ];
}

const DISTINCT_RECORDS = Array.from({ length: DISTINCT }, (_, index) => record(index + 1));
const RECORD_BYTES = JSON.stringify(DISTINCT_RECORDS[0]).length + 1;

/** Returns an array of records with about `bytes` bytes of canonical text; large ones repeat a thousand records. */
function recordsOf(bytes: number): unknown {
  if (bytes < RECORD_BYTES) return { id: "r1", content: "x".repeat(Math.max(0, bytes - 24)) };
  return Array.from({ length: Math.round(bytes / RECORD_BYTES) }, (_, index) => DISTINCT_RECORDS[index % DISTINCT]);
}

/** Yields the same array's JSON text in pieces. */
function* piecesOf(bytes: number): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  const block = encoder.encode(`,${JSON.stringify(DISTINCT_RECORDS).slice(1, -1)}`);
  const count = Math.round(bytes / RECORD_BYTES);
  const rest = JSON.stringify(DISTINCT_RECORDS.slice(0, count % DISTINCT)).slice(1, -1);
  yield encoder.encode("[");
  yield block.subarray(1);
  for (let start = DISTINCT; start + DISTINCT <= count; start += DISTINCT) yield block;
  yield encoder.encode(`${rest && ","}${rest}]`);
}

function hashPieces(pieces: Iterable<Uint8Array>): string {
  const hasher = createJsonHasher();
  for (const piece of pieces) hasher.update(piece);
  return hasher.digest();
}

function nested(depth: number): unknown {
  let value: unknown[] = [];
  for (let level = 1; level < depth; level++) value = [value];
  return value;
}

/** Returns an object whose members are neither in sorted nor in reverse order. */
function keyed(count: number): unknown {
  const names = Array.from({ length: count }, (_, index) => [`key-${Math.imul(index + 1, 0x9e3779b1) >>> 0}`, index]);
  return Object.fromEntries(names);
}

const valuePlot: Plot = {
  name: "value",
  title: "Value in memory to digest",
  x: "bytes of canonical text",
  unit: "byte",
  sizes: powers(100, 1e9),
  lines: valueLines(recordsOf, MOST_STRING),
};

function textLine(
  name: string,
  hash: (text: string) => unknown,
  { makeLong, ...rest }: Partial<Line> & { makeLong?: Line["make"] },
): Line {
  const make: Line["make"] = (size) => {
    if (size > MOST_TEXT && makeLong !== undefined) return makeLong(size);
    const text = JSON.stringify(recordsOf(size));
    return () => hash(text);
  };
  return { name, make, ...rest };
}

const textPlot: Plot = {
  name: "text",
  title: "JSON text to digest of its canonical text",
  x: "bytes of text",
  unit: "byte",
  sizes: powers(100, 1e9),
  lines: [
    textLine("agentprint", (text) => hashJson(text), {
      makeLong: (size) => () => hashPieces(piecesOf(size)),
    }),
    textLine("JSON.parse + canonicalize 5.1.0 + SHA-256", (text) => sha256(rfc8785(JSON.parse(text)) as string), {
      most: MOST_STRING,
    }),
    textLine("SHA-256 alone, not canonical", sha256, { most: MOST_STRING, isLimit: true }),
  ],
};

const depthPlot: Plot = {
  name: "depth",
  title: "Nested arrays to digest",
  x: "depth",
  unit: "level",
  sizes: powers(1, 1e6),
  lines: valueLines(nested),
};

const keysPlot: Plot = {
  name: "keys",
  title: "Object with many keys to digest",
  x: "keys",
  unit: "key",
  sizes: powers(1, 1e6),
  lines: valueLines(keyed),
};

/** Above this number of records, the blocks are kept in a file instead of in memory. */
const MOST_IN_MEMORY = 1e6;

let lastBlocks: { readonly size: number; readonly blocks: Iterable<Uint8Array> } | undefined;

/** Returns the same chain for both lines, because making a large chain is slow. */
function blocksOf(size: number): Iterable<Uint8Array> {
  if (lastBlocks?.size !== size) {
    lastBlocks = { size, blocks: size > MOST_IN_MEMORY ? writtenBlocks(size) : [...chainBlocks(size)] };
  }
  return lastBlocks.blocks;
}

/** Returns the blocks of a chain; each iteration reads them from a file, which is removed when the process exits. */
function writtenBlocks(size: number): Iterable<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "agentprint-chain-"));
  process.once("exit", () => rmSync(folder, { recursive: true }));
  const file = openSync(join(folder, "chain.jsonl"), "w+");
  const lengths: number[] = [];
  for (const block of chainBlocks(size)) lengths.push(writeSync(file, block));
  const buffer = Buffer.allocUnsafe(Math.max(...lengths));
  return {
    *[Symbol.iterator]() {
      let at = 0;
      for (const length of lengths) {
        at += readSync(file, buffer, 0, length, at);
        yield buffer.subarray(0, length);
      }
    },
  };
}

function* recordsIn(blocks: Iterable<Uint8Array>): Generator<ThoughtRecord> {
  for (const block of blocks) yield* parsedLines(block);
}

const chainPlot: Plot = {
  name: "chain",
  title: "Chain in JSON Lines, verified",
  x: "records",
  unit: "record",
  sizes: powers(10, 1e7),
  lines: [
    {
      name: "agentprint",
      make: (size) => {
        const blocks = blocksOf(size);
        return async () => (await verifyThoughtLines(blocks)).ok;
      },
    },
    {
      name: "JSON.parse + canonicalize 5.1.0 + SHA-256 + link",
      most: 1e6,
      make: (size) => {
        const blocks = blocksOf(size);
        return () => naive(recordsIn(blocks));
      },
    },
  ],
};

const toolsPlot: Plot = {
  name: "tools",
  title: "Static hash of a toolkit",
  x: "tools",
  unit: "tool",
  sizes: powers(1, 1e4),
  lines: [
    {
      name: "agentprint",
      make: (size) => {
        const members = tools(size, []);
        return () => toolkit(members.map(renewed), { name: "archive" }).staticHash;
      },
    },
    {
      name: "sorted clone + JSON.stringify + SHA-256",
      make: (size) => {
        const members = tools(size, []);
        return () => naiveToolkitHash(members.map(renewed), "archive");
      },
    },
  ],
};

export const PLOTS: readonly Plot[] = [valuePlot, textPlot, depthPlot, keysPlot, chainPlot, toolsPlot];
