import { splitLines } from "@agentprint/canonical-json/lines";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatThoughtLine,
  joinShares,
  LineSplitter,
  ShareVerifier,
  type TaskLinesReport,
  verifyTaskLines,
} from "../../src/chain/index.ts";
import { chainOf } from "../records.ts";

const encoder = new TextEncoder();

/** The report of so many workers on a text that comes in pieces of so many bytes. */
function verifyInShares(text: Uint8Array, count: number, pieceBytes: number, maxProblems: number): TaskLinesReport {
  const splitter = new LineSplitter(count);
  const verifiers = Array.from({ length: count }, () => new ShareVerifier({ maxProblems }));
  const push = (batches: ReturnType<LineSplitter["push"]>): void => {
    for (const batch of batches) verifiers[batch.share]?.push(batch);
  };
  for (let from = 0; from < text.length; from += pieceBytes)
    push(splitter.push(text.subarray(from, from + pieceBytes)));
  push(splitter.end());
  return joinShares(
    verifiers.map((verifier) => verifier.finish()),
    { maxProblems },
  );
}

/** Whole lines of tasks whose records are mixed. */
function mixedLines(tasks: readonly string[], length: number): string[] {
  const chains = tasks.map((taskId, task) => chainOf(length + task, { taskId, prefix: `${task}` }));
  return Array.from({ length: length + tasks.length }, (_, index) => chains.flatMap((chain) => chain[index] ?? []))
    .flat()
    .map((record) => formatThoughtLine(record).trimEnd());
}

const TASKS = ["a", "task 1", 'quoted "x"', "Straße ✅", "\ud800", "back\\slash", "z".repeat(50)];

type Damage = (line: string) => string | Uint8Array;
const tail = '"task_id":"task 1","timestamp":"t","type":"plan"}';

const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.constantFrom<Damage>(
    (line) => line.replace("Thought", "Doubt"),
    (line) => line.replace('"task_id":"', '"task_id":"a'),
    (line) => line.replace('"type":"', '"type":"x'),
    (line) => ` ${line}`,
    (line) => `${line} `,
    (line) => `${line}\r`,
    (line) => line.replace('"task_id"', '"task_id" '),
    (line) => line.replace(/^\{/, '{"task_id":"a",'),
    (line) => line.replace(/\}$/, ',"zone":"z"}'),
    (line) => line.replace(/"content"/, '"beside":1,"content"'),
    (line) => line.replace(/^\{("agent_id":"[^"]*"),(.*)\}$/, "{$2,$1}"),
    (line) => `${line}${line}`,
    (line) => line.slice(1),
    (line) => line.replace('"task_id":', '"task\\u005fid":'),
    () => "",
    () => "{}",
    () => '{"task_id":',
    () => '{"task_id":""}',
    () => `{"x":{"y":1,${tail}`,
    () => `{"x":"\\",${tail}`,
    () => `["x",${tail}`,
    () => `{"x":1,"task_id":"","timestamp":"t","type":"plan"}`,
    () => `{${tail}`,
    () => `{"x":1,${tail}`,
    () => tail,
    () => `,${tail}`,
    (line) => Uint8Array.of(0xff, ...encoder.encode(line)),
    (line) => encoder.encode(line).map((byte) => (byte === 0x3a ? 0xc3 : byte)),
  ),
  fc.tuple(fc.nat(600), fc.string({ unit: "binary-ascii", maxLength: 3 }), fc.nat(3)).map(
    ([place, text, cut]): Damage =>
      (line) =>
        line.slice(0, place % (line.length + 1)) + text + line.slice((place % (line.length + 1)) + cut),
  ),
);

function textOf(lines: readonly (string | Uint8Array)[], isEnded: boolean): Uint8Array {
  const parts = lines.flatMap((line) => [typeof line === "string" ? encoder.encode(line) : line, Uint8Array.of(0x0a)]);
  return Uint8Array.from((isEnded ? parts : parts.slice(0, -1)).flatMap((part) => [...part]));
}

describe("shares of one text", () => {
  test("give the report of one worker, however the text is damaged", async () => {
    const place = fc.nat(60);
    const damages = fc.array(fc.tuple(damage, place), { maxLength: 6 });
    const moves = fc.array(fc.tuple(place, place), { maxLength: 2 });
    const input = fc.record({
      tasks: fc.shuffledSubarray(TASKS, { minLength: 1 }),
      damages,
      moves,
      isEnded: fc.boolean(),
      count: fc.integer({ min: 1, max: 5 }),
      pieceBytes: fc.integer({ min: 1, max: 4000 }),
      maxProblems: fc.constantFrom(0, 1, 5, 10_000),
    });
    await fc.assert(
      fc.asyncProperty(input, async ({ tasks, damages, moves, isEnded, count, pieceBytes, maxProblems }) => {
        const lines: (string | Uint8Array)[] = mixedLines(tasks, 3);
        for (const [from, to] of moves) lines.splice(to % lines.length, 0, ...lines.splice(from % lines.length, 1));
        for (const [change, index] of damages) {
          const line = lines[index % lines.length];
          if (typeof line === "string") lines[index % lines.length] = change(line);
        }
        const text = textOf(lines, isEnded);
        const whole = await verifyTaskLines([text], { maxProblems });
        expect(verifyInShares(text, count, pieceBytes, maxProblems)).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });

  test("have few bytes for each worker where tasks are alike, and batches of whole lines", () => {
    const text = textOf(mixedLines(["a", "b", "c", "d"], 2000), true);
    const splitter = new LineSplitter(2);
    const batches = [...splitter.push(text), ...splitter.end()];
    const bytes = [0, 1].map((share) =>
      batches.filter((batch) => batch.share === share).reduce((sum, batch) => sum + batch.bytes.length, 0),
    );
    expect(Math.max(...bytes) / Math.min(...bytes)).toBeLessThan(1.1);
    expect(batches.length).toBeGreaterThan(4);
    for (const batch of batches) expect(splitLines(batch.bytes)).toHaveLength(batch.lines.length);
  });

  test("list members that no hash covers in the order of the text, whichever worker found them", () => {
    const lines = mixedLines(["a", "b", "c"], 2).map((line) => line.replace(/\}$/, ',"zone":"z"}'));
    const { uncovered } = verifyInShares(textOf(lines, true), 3, 1000, 5);
    expect(uncovered.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5]);
  });

  test("refuse more tasks than allowed, in one share and together", () => {
    const refused = expect.objectContaining({ code: "too-many-tasks" });
    const splitter = new LineSplitter(2);
    const text = textOf(mixedLines(["a", "b", "c", "d"], 1), true);
    const batches = [...splitter.push(text), ...splitter.end()];
    const verify = (maxTasks: number): TaskLinesReport => {
      const verifiers = [new ShareVerifier({ maxTasks }), new ShareVerifier({ maxTasks })];
      for (const batch of batches) verifiers[batch.share]?.push(batch);
      const shares = verifiers.map((verifier) => verifier.finish());
      return joinShares(shares, { maxTasks });
    };
    expect(() => verify(1)).toThrow(refused);
    expect(() => verify(3)).toThrow(refused);
    expect(verify(4)).toMatchObject({ ok: true, length: 10 });
  });

  test("refuse a line of more than 64 MiB", () => {
    const splitter = new LineSplitter(2);
    const piece = new Uint8Array(2 ** 25).fill(0x61);
    splitter.push(Uint8Array.of(0x0a));
    splitter.push(piece);
    splitter.push(piece);
    expect(() => splitter.push(piece)).toThrow(expect.objectContaining({ code: "line-too-long", line: 2 }));
  });
});
