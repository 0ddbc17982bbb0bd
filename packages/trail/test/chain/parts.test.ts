import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatThoughtLine,
  joinParts,
  type PartReport,
  PartVerifier,
  type TaskLinesReport,
  verifyTaskLines,
} from "../../src/chain/index.ts";
import { chainOf } from "../records.ts";

const encoder = new TextEncoder();
type Options = ConstructorParameters<typeof PartVerifier>[0];

/**
 * Returns the report on a text that is cut after some of its lines, with part reports as received from other threads.
 */
function verifyInParts(text: Uint8Array, cuts: readonly number[], options: Options = {}): TaskLinesReport | undefined {
  const ends = [...text.keys()].filter((index) => text[index] === 0x0a).map((index) => index + 1);
  const places = cuts.map((cut) => ends[cut % ends.length] ?? 0).sort((a, b) => a - b);
  const starts = [0, ...places];
  const reports = starts.map((start, index): PartReport | undefined => {
    const verifier = new PartVerifier(options);
    verifier.push(text.subarray(start, starts[index + 1]));
    return structuredClone(verifier.finish());
  });
  return joinParts(reports, options);
}

/** Returns complete lines of several tasks with interleaved records. */
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

const withMember = (line: string): string => line.replace(/\}$/, ',"zone":"z"}');

describe("parts of one text", () => {
  test("give the report on the whole text, or none where it has a problem", async () => {
    const place = fc.nat(60);
    const input = fc.record({
      tasks: fc.shuffledSubarray(TASKS, { minLength: 1 }),
      damages: fc.array(fc.tuple(damage, place), { maxLength: 3 }),
      moves: fc.array(fc.tuple(place, place), { maxLength: 1 }),
      copies: fc.array(fc.tuple(place, place), { maxLength: 1 }),
      isEnded: fc.boolean(),
      cuts: fc.array(place, { maxLength: 4 }),
      maxProblems: fc.constantFrom(0, 1, 5, 10_000),
    });
    await fc.assert(
      fc.asyncProperty(input, async ({ tasks, damages, moves, copies, isEnded, cuts, maxProblems }) => {
        const lines: (string | Uint8Array)[] = mixedLines(tasks, 3);
        for (const [from, to] of moves) lines.splice(to % lines.length, 0, ...lines.splice(from % lines.length, 1));
        for (const [from, to] of copies) lines.splice(to % lines.length, 0, lines[from % lines.length] as string);
        for (const [change, index] of damages) {
          const line = lines[index % lines.length];
          if (typeof line === "string") lines[index % lines.length] = change(line);
        }
        const text = textOf(lines, isEnded);
        const whole = await verifyTaskLines([text], { maxProblems });
        expect(verifyInParts(text, cuts, { maxProblems })).toEqual(whole.ok ? whole : undefined);
      }),
      { numRuns: runs(150) },
    );
  });

  test.each(["\n", " \t\n", "\n\n"])("accept a blank line at the end of the text only: %j", async (blank) => {
    const [one = "", two = ""] = chainOf(2).map((record) => formatThoughtLine(record));
    const reportIn = (text: string, cuts: readonly number[]) => verifyInParts(encoder.encode(text), cuts);
    const ended = await verifyTaskLines([encoder.encode(one + two + blank)]);
    for (const cuts of [[1], [2], [3], [1, 2], [2, 3]])
      expect(reportIn(one + two + blank, cuts)).toEqual(ended.ok ? ended : undefined);
    for (const cuts of [[0], [1], [2], [0, 1], [1, 2]]) expect(reportIn(one + blank + two, cuts)).toBeUndefined();
  });

  test.each([
    ["UUIDs that grow", (index: number) => `018bcfe5-6800-7000-8000-${String(index).padStart(12, "0")}`],
    ["UUIDs in no order", (index: number) => `018bcfe5-6800-4000-8000-${String((index * 7) % 12).padStart(12, "0")}`],
    ["short ids", (index: number) => `r${index}`],
    ["long ids", (index: number) => `record number ${index} of this task`],
  ])("find an id that is in two parts: %s", async (_, idAt) => {
    const textWith = (ids: readonly string[]): Uint8Array =>
      textOf(
        chainOf(ids.length, { id: (index) => ids[index] as string }).map((record) =>
          formatThoughtLine(record).trimEnd(),
        ),
        true,
      );
    const ids = Array.from({ length: 12 }, (__, index) => idAt(index));
    const whole = textWith(ids);
    expect(verifyInParts(whole, [3, 7])).toEqual(await verifyTaskLines([whole]));
    expect(verifyInParts(whole, [3, 7])).toMatchObject({ ok: true });
    expect(verifyInParts(textWith([...ids.slice(0, 11), ids[1] as string]), [3, 7])).toBeUndefined();
    expect(verifyInParts(textWith([ids[11] as string, ...ids.slice(0, 11)]), [0, 7])).toMatchObject({ ok: true });
  });

  test("do not hide a chain that begins in the middle, or twice", async () => {
    const [first, ...later] = mixedLines(["a"], 5);
    expect(verifyInParts(textOf(later, true), [2])).toBeUndefined();
    expect(verifyInParts(textOf([...later, first as string], true), [4])).toBeUndefined();
    expect(verifyInParts(textOf(later.slice(1), true), [])).toBeUndefined();
  });

  test("list members that no hash covers by their lines in the whole text", () => {
    const lines = mixedLines(["a", "b", "c"], 2).map(withMember);
    const { uncovered } = verifyInParts(textOf(lines, true), [1, 4], { maxProblems: 5 }) ?? {};
    expect(uncovered?.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5]);
  });

  test("refuse more tasks than allowed, in one part and together", () => {
    const refused = expect.objectContaining({ code: "too-many-tasks" });
    const text = textOf(mixedLines(["a", "b", "c", "d"], 1), true);
    expect(() => verifyInParts(text, [1], { maxTasks: 1 })).toThrow(refused);
    const halves = textOf([...mixedLines(["a", "b"], 1), ...mixedLines(["c", "d"], 1)], true);
    expect(() => verifyInParts(halves, [4], { maxTasks: 3 })).toThrow(refused);
    expect(verifyInParts(text, [1], { maxTasks: 4 })).toMatchObject({ ok: true, length: 10 });
  });
});
