import { createHash } from "node:crypto";
import { type ThoughtRecord, ZERO_HASH } from "@agentprint/trail";
import { createThought, formatThoughtLine, verifyChain, verifyThoughtLines } from "@agentprint/trail/chain";
import rfc8785 from "canonicalize";
import { v7 } from "uuid";
import { record } from "./corpora.ts";
import { type Comparison, FEW_ROUNDS, type Suite } from "./measure.ts";
import { once } from "./once.ts";

const RECORDS = 100_000;
const CHUNK = 64 * 1024;
const BLOCK_LINES = 1000;

/** Yields a chain of `count` records as JSON Lines, in blocks of complete lines. */
export function* chainBlocks(count: number): Generator<Uint8Array> {
  let previous: ThoughtRecord | null = null;
  for (let from = 0; from < count; from += BLOCK_LINES) {
    const records = chain(prose, Math.min(BLOCK_LINES, count - from), previous);
    previous = records.at(-1) ?? null;
    yield new TextEncoder().encode(records.map((thought) => formatThoughtLine(thought)).join(""));
  }
}

/** Returns a chain of the other benchmarks' records that continues after `previous`. */
function chain(
  content: (seed: number) => string,
  count: number,
  previous: ThoughtRecord | null = null,
): ThoughtRecord[] {
  const records: ThoughtRecord[] = [];
  for (let index = 0; index < count; index++) {
    const fields = { type: "decision", task_id: "task-42", agent_id: "planner", content: content(index + 1) } as const;
    records.push(createThought(fields, records.at(-1) ?? previous, { now: new Date(1.7e12 + index), id: v7() }));
  }
  return records;
}

const prose = (seed: number): string => record(seed)["content"] as string;
const lines = (seed: number): string => prose(seed).replaceAll(" read ", '\n"read" ');

/** Verifies with straightforward code: hashes every record again, and checks that it follows the previous one. */
export function naive(records: Iterable<ThoughtRecord>): boolean {
  let head = ZERO_HASH;
  for (const { id, type, task_id, content, timestamp, prev_hash, hash } of records) {
    const text = rfc8785({ id, type, task_id, content, timestamp, prev_hash }) as string;
    if (prev_hash !== head || createHash("sha256").update(text).digest("hex") !== hash) return false;
    head = hash;
  }
  return true;
}

export function* parsedLines(bytes: Uint8Array): Generator<ThoughtRecord> {
  for (const line of new TextDecoder().decode(bytes).trimEnd().split("\n")) yield JSON.parse(line) as ThoughtRecord;
}

function memoryComparison(name: string, records: () => readonly ThoughtRecord[], bar: number): Comparison {
  const verified = async (): Promise<boolean> => (await verifyChain(records())).ok;
  return comparison(name, bar, verified, () => naive(records()));
}

function linesComparison(name: string, bytes: () => Uint8Array, bar: number): Comparison {
  // The text arrives in chunks, as when a file is read.
  const chunks = once(() =>
    Array.from({ length: Math.ceil(bytes().length / CHUNK) }, (_, index) =>
      bytes().subarray(index * CHUNK, (index + 1) * CHUNK),
    ),
  );
  const verified = async (): Promise<boolean> => (await verifyThoughtLines(chunks())).ok;
  return comparison(name, bar, verified, () => naive(parsedLines(bytes())));
}

function comparison(name: string, bar: number, verified: () => Promise<boolean>, naively: () => boolean): Comparison {
  return {
    name: `${RECORDS.toLocaleString("en")} records, ${name}`,
    reference: "naive",
    ours: "agentprint",
    bar,
    rounds: FEW_ROUNDS,
    isCorrect: (output) => output === true,
    contenders: { agentprint: verified, naive: naively },
  };
}

export const verifySuite: Suite = {
  title: "Verifying a chain (canonicalize@5.1.0 + createHash of every record, and its link = 1)",
  comparisons: (part = 1) => [
    ...comparisons("one line each", prose, part * RECORDS, { memory: 2.3, lines: 1.6 }),
    // Native escaping takes a large part of the time, the same for both.
    ...comparisons("with line breaks and quotes", lines, part * RECORDS, { memory: 1.8, lines: 1.4 }),
  ],
};

function comparisons(
  name: string,
  content: (seed: number) => string,
  count: number,
  bars: { readonly memory: number; readonly lines: number },
): (() => Comparison)[] {
  const bytes = once(() => {
    const text = chain(content, count).map((thought) => formatThoughtLine(thought));
    return new TextEncoder().encode(text.join(""));
  });
  return [
    // Verifies parsed records, as a program has them in memory.
    () => {
      const records = [...parsedLines(bytes())];
      return memoryComparison(`${name}, in memory`, () => records, bars.memory);
    },
    () => linesComparison(`${name}, JSON Lines`, bytes, bars.lines),
  ];
}
