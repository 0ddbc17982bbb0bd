import { describe, expect, test } from "vitest";
import { TrailError, verifyChain, verifyTaskLines, verifyTasks } from "../../src/chain/index.ts";
import { type ThoughtRecord, ZERO_HASH } from "../../src/index.ts";
import { at, chainOf, replaced, summary } from "../records.ts";

describe("malformed", () => {
  test.each([
    [null, ""],
    [[], ""],
    ["text", ""],
    [{ ...at(chainOf(3), 1), type: "observation" }, "/type"],
    [{ ...at(chainOf(3), 1), content: 1 }, "/content"],
    [{ ...at(chainOf(3), 1), hash: at(chainOf(3), 1).hash.toUpperCase() }, "/hash"],
    [{ ...at(chainOf(3), 1), prev_hash: "g".repeat(64) }, "/prev_hash"],
    [{ ...at(chainOf(3), 1), hash: "0".repeat(63) }, "/hash"],
  ])("%j", async (value, path) => {
    const report = await verifyChain(replaced(chainOf(4), 1, value));
    expect(summary(report)).toEqual([["malformed", 1, path, undefined]]);
    expect(report.anchored).toEqual([{ from: 0, to: 0 }]);
    expect(report.head).toBe(at(chainOf(4), 3).hash);
  });

  test("reports every field, and continues behind garbage between two records", async () => {
    const records = chainOf(4);
    const report = await verifyChain(records.toSpliced(2, 0, { hash: "" } as ThoughtRecord));
    expect(report.counts.malformed).toBe(8);
    expect(report.problems.map(({ path }) => path)).toContain("/prev_hash");
    expect(report.anchored).toEqual([
      { from: 0, to: 1 },
      { from: 3, to: 4 },
    ]);
  });

  test("reports an object of another kind once", async () => {
    const records: readonly unknown[] = chainOf(4).toSpliced(2, 0, { level: "info", task_id: "t" } as never);
    const report = await verifyChain(records as ThoughtRecord[]);
    expect(report.problems).toMatchObject([{ kind: "malformed", index: 2, path: "" }]);
  });

  test("reports a TrailError as a record that could not be read", async () => {
    const error = new TrailError("malformed-line", "line 2 is not JSON", { line: 2, column: 7 });
    const pathed = new TrailError("malformed-line", "bad", { path: "/a" });
    const report = await verifyChain([error, pathed]);
    expect(report.problems).toEqual([
      { kind: "malformed", index: 0, line: 2, column: 7, message: "line 2 is not JSON" },
      { kind: "malformed", index: 1, path: "/a", message: "bad" },
    ]);
  });

  test("ignores members of a record other than the eight fields", async () => {
    const [record] = chainOf(1);
    const hostile = JSON.parse(`{"__proto__":{"polluted":1},${JSON.stringify(record).slice(1)}`);
    expect((await verifyChain([hostile])).ok).toBe(true);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe("limits", () => {
  test("lists no more problems than asked for and counts them all", async () => {
    const broken = chainOf(50).filter((_record, index) => index % 2 === 0);
    const report = await verifyChain(broken, { maxProblems: 3 });
    expect(report.problems).toHaveLength(3);
    expect(report.problemCount).toBe(24);
    expect(report.counts["broken-link"]).toBe(24);
  });

  test("escapes invisible characters of a hostile id in a message", async () => {
    const id = `\u001b[31m\u009b\u202e\u3164\u{e0100}${"x".repeat(1000)}`;
    const records = chainOf(1, { id: () => id });
    const { problems } = await verifyChain(replaced(records, 0, { ...at(records, 0), content: "other" }));
    expect(problems[0]?.message).toMatch(/^[\x20-\x7e]{0,400}$/);
    expect(problems[0]?.id).toBe(id);
  });

  test("lists no more ranges than problems", async () => {
    const records = chainOf(40).flatMap((record) => [record, null]);
    const report = await verifyChain(records, { maxProblems: 5 });
    expect(report.unanchored).toHaveLength(5);
    expect(report.anchored).toHaveLength(5);
  });

  test("adds nothing to a problem that it does not list", async () => {
    const records = chainOf(4);
    const broken = replaced(records, 1, { ...at(records, 1), hash: "1".repeat(64) });
    expect(await verifyChain(broken, { maxProblems: 0 })).toMatchObject({ problems: [], problemCount: 1 });
  });
});

describe("verifyTasks", () => {
  test("verifies each task of a mixed input and says at which position of the input a problem is", async () => {
    const a = chainOf(3, { taskId: "a", prefix: "a" });
    const b = chainOf(3, { taskId: "b", prefix: "b" });
    const mixed = a.flatMap((record, index) => [record, at(b, index)]);
    expect(await verifyTasks(mixed)).toMatchObject({ ok: true, length: 6, tasks: [{ taskId: "a" }, { taskId: "b" }] });
    const report = await verifyTasks([...replaced(mixed as ThoughtRecord[], 3, { ...at(b, 1), content: "other" }), 7]);
    expect(report.ok).toBe(false);
    expect(report.tasks.map(({ ok }) => ok)).toEqual([true, false]);
    expect(report.tasks[1]?.problems[0]).toMatchObject({ kind: "altered", index: 1, position: 3 });
    expect(report.unassigned.problems[0]).toMatchObject({ kind: "malformed", index: 0, position: 6 });
  });

  test("takes the checkpoints of each task", async () => {
    const checkpoints = (taskId: string) => (taskId === "a" ? [{ size: 9, rootHash: ZERO_HASH }] : undefined);
    const report = await verifyTasks([...chainOf(1, { taskId: "a" }), ...chainOf(1, { taskId: "b" })], { checkpoints });
    expect(report.tasks.map(({ counts }) => counts.truncated)).toEqual([1, 0]);
  });

  test("gives the same report from JSON Lines", async () => {
    const tasks = Array.from({ length: 7 }, (_, task) =>
      chainOf(3 + task, { taskId: `task ${task}`, prefix: `${task}` }),
    );
    const mixed: unknown[] = Array.from({ length: 9 }, (_, index) =>
      tasks.flatMap((chain) => chain[index] ?? []),
    ).flat();
    mixed.splice(20, 0, { ...(mixed[20] as ThoughtRecord), content: "other" }, null, { task_id: "task 3" });
    const whole = await verifyTasks(mixed, { maxProblems: 5 });
    expect(whole.tasks.map(({ taskId }) => taskId)).toEqual(tasks.map((_, task) => `task ${task}`));
    const lines = new TextEncoder().encode(mixed.map((value) => `${JSON.stringify(value)}\n`).join(""));
    expect(await verifyTaskLines([lines], { maxProblems: 5 })).toEqual({ ...whole, uncovered: [], hasHashes: true });
  });

  test("gives the same report on tasks of which each has few of many records", async () => {
    const tasks = Array.from({ length: 300 }, (_, task) => chainOf(20, { taskId: `task ${task}`, prefix: `${task}` }));
    const mixed = Array.from({ length: 20 }, (_, index) => tasks.map((chain) => at(chain, index))).flat();
    const report = await verifyTasks(mixed);
    expect(report).toMatchObject({ ok: true, length: 6000 });
    expect(report.tasks).toEqual(await Promise.all(tasks.map((chain) => verifyChain(chain))));
  });

  test("refuses more tasks than allowed", async () => {
    const records = [1, 2, 3].flatMap((task) => chainOf(1, { taskId: `task ${task}` }));
    const refused = { code: "too-many-tasks" };
    await expect(verifyTasks(records, { maxTasks: 2 })).rejects.toMatchObject(refused);
    expect(await verifyTasks(records, { maxTasks: 3 })).toMatchObject({ ok: true });
  });
});
