import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runs } from "@agentprint/testing/property-runs";
import type { ThoughtRecord } from "@agentprint/trail";
import { type ChainReport, createThought, formatThoughtLine } from "@agentprint/trail/chain";
import { openTrailStore } from "@agentprint/trail-store";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cutIntoParts, readPart } from "../../src/trail/file-parts.ts";
import { changeDatabase } from "../support/change-database.ts";
import { type RunResult, runCli } from "../support/run-cli.ts";

const TASKS = 3;
let directory = "";

/** Returns tasks of 5 to 7 records each, with their lines interleaved. */
function manyTasks(): ThoughtRecord[] {
  const chains = Array.from({ length: TASKS }, (_, task) => {
    const chain: ThoughtRecord[] = [];
    for (let index = 0; index < 5 + task; index++) {
      const content = `Thought ${index} ✅ of "${task}"\n${"and so on ".repeat(100)}`;
      const fields = { type: "plan", task_id: `task ${task}`, agent_id: "planner", content } as const;
      const sources = { now: new Date(1.7e12 + index), id: `${task}-${index}` };
      chain.push(createThought(fields, chain.at(-1) ?? null, sources));
    }
    return chain;
  });
  return Array.from({ length: 5 + TASKS }, (_, index) => chains.flatMap((chain) => chain[index] ?? [])).flat();
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "agentprint-workers-"));
  const text = manyTasks()
    .map((record) => formatThoughtLine(record))
    .join("");
  writeFileSync(join(directory, "whole.jsonl"), text);
  const damaged = text.split("\n");
  for (const line of [4, 5, 11]) damaged[line] = damaged[line]?.replace("Thought", "Doubt") ?? "";
  damaged.splice(8, 1, "{}", '{"task_id":', damaged[9] ?? "");
  writeFileSync(join(directory, "damaged.jsonl"), damaged.join("\n"));
  const store = await openTrailStore(`file:${join(directory, "trail.db")}`);
  await store.import([new TextEncoder().encode(text)]);
  await store.close();
});
afterAll(() => rmSync(directory, { recursive: true }));

const verify = (source: string, ...args: string[]): Promise<RunResult> =>
  runCli(["trail", "verify", source, "--format", "json", ...args], { cwd: directory });

describe("agentprint trail verify --workers", () => {
  test.each([
    ["whole.jsonl", 0, "4"],
    ["damaged.jsonl", 1, "3"],
    ["file:trail.db", 0, "2"],
  ] as const)("gives the report of one worker: %s", async (source, code, workers) => {
    const one = await verify(source);
    expect(one).toMatchObject({ code, stderr: "" });
    expect(JSON.parse(one.stdout).chains.length).toBeGreaterThanOrEqual(TASKS);
    expect(await verify(source, "--workers", workers)).toEqual(one);
  });

  test("gives it for trails with any damage, and with more workers than lines", async () => {
    const whole = readFileSync(join(directory, "whole.jsonl"), "latin1").slice(0, 30_000);
    const place = fc.nat(whole.length);
    const edit = fc.constantFrom("", "\n", "\r\n", "\r", "\n\n", " ", "x", '"', "{}\n", "\xff", "\ud800", "\0");
    const input = fc.record({
      from: fc.oneof(fc.constant(0), place),
      length: fc.oneof(fc.nat(4_000), place),
      edits: fc.array(fc.tuple(place, fc.nat(3), edit), { maxLength: 2 }),
      copied: fc.option(fc.tuple(place, fc.nat(3_000))),
      workers: fc.integer({ min: 2, max: Math.min(8, runs(3)) }), // each starts a thread
    });
    await fc.assert(
      fc.asyncProperty(input, async ({ from, length, edits, copied, workers }) => {
        let text = whole.slice(whole.lastIndexOf("\n", from) + 1).slice(0, length);
        for (const [at, cut, added] of edits) text = text.slice(0, at) + added + text.slice(at + cut);
        if (copied) text += whole.slice(copied[0], copied[0] + copied[1]);
        writeFileSync(join(directory, "any.jsonl"), text, "latin1");
        expect(await verify("any.jsonl", "--workers", String(workers))).toEqual(await verify("any.jsonl"));
      }),
      { numRuns: runs(3) },
    );
  });

  test("gives it for standard input, too, and for one task of many", async () => {
    const stdin = readFileSync(join(directory, "damaged.jsonl"));
    const args = ["trail", "verify", "--format", "json"];
    expect(await runCli([...args, "--workers", "2"], { stdin })).toEqual(await runCli(args, { stdin }));
    const task = ["--task", "task 2"];
    expect(await verify("whole.jsonl", ...task, "--workers", "2")).toEqual(await verify("whole.jsonl", ...task));
  });

  test("names the altered task of a database", async () => {
    const path = join(directory, "altered.db");
    const store = await openTrailStore(`file:${path}`);
    await store.import([readFileSync(join(directory, "whole.jsonl"))]);
    await store.close();
    const drop = "drop trigger thoughts_no_update; update thoughts set content = 'other' where id = '2-3'";
    changeDatabase(path, drop);
    const run = await verify("file:altered.db", "--workers", "2");
    expect(run).toEqual(await verify("file:altered.db"));
    expect(run.code).toBe(1);
    const { chains } = JSON.parse(run.stdout) as { chains: ChainReport[] };
    const found = chains.flatMap(({ taskId, problems }) => problems.map(({ kind, id }) => [taskId, kind, id]));
    expect(found).toEqual([["task 2", "altered", "2-3"]]);
  });

  test("has no verdict where a worker could not read", async () => {
    const cut = join(directory, "cut.db");
    writeFileSync(cut, readFileSync(join(directory, "trail.db")));
    truncateSync(cut, Math.floor(statSync(cut).size / 2 / 4096) * 4096);
    const damaged = await verify("file:cut.db", "--workers", "2");
    expect(damaged).toMatchObject({ code: 2, stdout: "" });
    expect(damaged.stderr).toContain("corrupt");
    expect(await verify("nothing.jsonl", "--workers", "2")).toMatchObject({ code: 2, stdout: "" });
    expect(await verify("file:nothing.db", "--workers", "2")).toMatchObject({ code: 2, stdout: "" });
  });

  test.each([
    ["a link to itself", "loop"],
    ["a folder", "."],
    ["a file in a file", "whole.jsonl/part"],
    ["a long name", "n".repeat(300)],
  ])("explains why it cannot be opened: %s", async (_kind, name) => {
    if (name === "loop") symlinkSync(name, join(directory, name));
    const one = await verify(name);
    expect(one).toMatchObject({ code: 2, stderr: expect.stringContaining("unreadable-input") });
    expect(await verify(name, "--workers", "2")).toEqual(one);
  });

  test("reads all parts of the file that was opened, even if its name now refers to another file", () => {
    const path = join(directory, "replaced.jsonl");
    const text = readFileSync(join(directory, "whole.jsonl"));
    writeFileSync(path, text);
    const file = openSync(path, "r");
    const parts = cutIntoParts(file, 3);
    writeFileSync(`${path}.new`, "other\n");
    renameSync(`${path}.new`, path);
    expect(Buffer.concat(parts.flatMap((part) => [...readPart(part)].map((bytes) => Buffer.from(bytes))))).toEqual(
      text,
    );
    closeSync(file);
  });

  test.each(["0", "-1", "x", "65"])("refuses %s workers", async (count) => {
    expect(await verify("whole.jsonl", `--workers=${count}`)).toMatchObject({ code: 2, stdout: "" });
  });
});
