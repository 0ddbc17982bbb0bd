import { anyCharacter } from "@agentprint/testing/text/any-character";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ChainVerifier, createThought, verifyChain, verifyTasks } from "../../src/chain/index.ts";
import type { ThoughtRecord } from "../../src/index.ts";
import { at, chainOf, rehashed, replaced, summary } from "../records.ts";

describe("an intact chain", () => {
  test("is ok, anchored from end to end, and has a head", async () => {
    const records = chainOf(5);
    expect(await verifyChain(records)).toEqual({
      ok: true,
      taskId: "task-42",
      length: 5,
      head: at(records, 4).hash,
      firstBadIndex: null,
      problems: [],
      problemCount: 0,
      counts: expect.objectContaining({ altered: 0, rewritten: 0 }),
      anchored: [{ from: 0, to: 4 }],
      unanchored: [],
      checkpointed: null,
    });
  });

  test("may be empty", async () => {
    expect(await verifyChain([])).toMatchObject({ ok: true, length: 0, head: null, taskId: null, anchored: [] });
  });

  test("may come from an async source, whose error is thrown and is not a problem of the chain", async () => {
    async function* broken(): AsyncGenerator<ThoughtRecord> {
      yield* chainOf(2);
      throw new Error("disk on fire");
    }
    await expect(verifyChain(broken())).rejects.toThrow("disk on fire");
  });

  test("holds for any ids, contents and times", async () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 8 });
    const thoughts = fc.uniqueArray(fc.record({ id: fc.oneof(fc.uuid(), text), content: text }), {
      selector: ({ id }) => id,
    });
    await fc.assert(
      fc.asyncProperty(thoughts, async (drafts) => {
        const records: ThoughtRecord[] = [];
        for (const { id, content } of drafts.filter((draft) => draft.id !== "")) {
          const fields = { type: "plan", task_id: "t", agent_id: "a", content } as const;
          records.push(createThought(fields, records.at(-1) ?? null, { now: "any time", id }));
        }
        const report = await verifyChain(records);
        expect(report.problems).toEqual([]);
        expect(report.length).toBe(records.length);
      }),
    );
  });
});

describe("altered", () => {
  test.each([
    ["id", "other", ""],
    ["type", "reflection", "/type"],
    ["task_id", "task-43", "/task_id"],
    ["content", "other", ""],
    ["timestamp", "other", ""],
    ["prev_hash", "1".repeat(64), "/prev_hash"],
    ["hash", "1".repeat(64), "/hash"],
  ])("%s", async (field, value, path) => {
    const records = chainOf(8);
    const report = await verifyChain(replaced(records, 4, { ...at(records, 4), [field]: value }));
    expect(summary(report)).toEqual([["altered", 4, path, undefined]]);
    expect(report.firstBadIndex).toBe(4);
    expect(report.anchored).toEqual(
      field === "hash"
        ? [
            { from: 0, to: 3 },
            { from: 5, to: 7 },
          ]
        : [{ from: 0, to: 3 }],
    );
  });

  test.each(["content", "task_id", "prev_hash"])("in the first record: %s", async (field) => {
    const records = chainOf(4);
    const report = await verifyChain(replaced(records, 0, { ...at(records, 0), [field]: "2".repeat(64) }));
    expect(summary(report)).toEqual([["altered", 0, field === "prev_hash" ? "/prev_hash" : "", undefined]]);
    expect(report.taskId).toBe("task-42");
    expect(report.unanchored).toEqual([{ from: 0, to: 3 }]);
  });

  test.each([0, 15, 16, 40, 63])("digit %i of a hash alone: the report names the hash, and no link", async (digit) => {
    const [first, second, third, ...rest] = chainOf(5) as [ThoughtRecord, ThoughtRecord, ThoughtRecord];
    const changed = second.hash[digit] === "0" ? "1" : "0";
    const altered = { ...second, hash: second.hash.slice(0, digit) + changed + second.hash.slice(digit + 1) };
    const report = await verifyChain([first, altered, third, ...rest]);
    expect(summary(report)).toEqual([["altered", 1, "/hash", undefined]]);
    expect(report.unanchored).toEqual([{ from: 1, to: 1 }]);
    const forged = await verifyChain([first, altered, rehashed(third, { prev_hash: altered.hash })]);
    expect(summary(forged)).toEqual([["altered", 1, "", undefined]]);
    expect(forged.unanchored).toEqual([{ from: 1, to: 2 }]);
  });

  test("agent_id is not covered", async () => {
    const records = chainOf(3);
    expect((await verifyChain(replaced(records, 1, { ...at(records, 1), agent_id: "other" }))).ok).toBe(true);
  });

  test("a record that was altered and hashed again breaks the next link", async () => {
    const records = chainOf(6);
    const report = await verifyChain(replaced(records, 2, rehashed(at(records, 2), { content: "other" })));
    expect(summary(report)).toEqual([["broken-link", 3, "/prev_hash", undefined]]);
    expect(report.anchored).toEqual([{ from: 0, to: 2 }]);
    expect(report.unanchored).toEqual([{ from: 3, to: 5 }]);
  });

  test("is found wherever any covered field of any record changes", async () => {
    const records = chainOf(12);
    const covered = fc.constantFrom("id", "type", "task_id", "content", "timestamp", "prev_hash", "hash");
    await fc.assert(
      fc.asyncProperty(fc.nat(11), covered, fc.string(), async (index, field, value) => {
        const original = at(records, index);
        fc.pre(original[field as keyof ThoughtRecord] !== value);
        const report = await verifyChain(replaced(records, index, { ...original, [field]: value }));
        expect(report.firstBadIndex).toBe(index);
        expect(report.problems.every((problem) => problem.index === index)).toBe(true);
      }),
    );
  });
});

describe("order and links", () => {
  test("missing-genesis: the beginning was cut off", async () => {
    const report = await verifyChain(chainOf(5).slice(2));
    expect(summary(report)).toEqual([["missing-genesis", 0, "/prev_hash", undefined]]);
    expect(report.anchored).toEqual([]);
  });

  test("broken-link: records are gone from the middle", async () => {
    expect(summary(await verifyChain(chainOf(6).toSpliced(2, 2)))).toEqual([
      ["broken-link", 2, "/prev_hash", undefined],
    ]);
  });

  test("broken-link: to a hash that begins with the same digits as the hash of the record before", async () => {
    const records = chainOf(3);
    const head = at(records, 1).hash;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 63 }), async (digit) => {
        const prev_hash = `${head.slice(0, digit)}${head[digit] === "0" ? "1" : "0"}${head.slice(digit + 1)}`;
        const report = await verifyChain(replaced(records, 2, rehashed(at(records, 2), { prev_hash })));
        expect(summary(report)).toEqual([["broken-link", 2, "/prev_hash", undefined]]);
        expect(report.unanchored).toEqual([{ from: 2, to: 2 }]);
      }),
    );
  });

  test("broken-link: reordered records are named", async () => {
    const [a, b, c, d, e] = chainOf(5) as [ThoughtRecord, ThoughtRecord, ThoughtRecord, ThoughtRecord, ThoughtRecord];
    const report = await verifyChain([a, c, b, d, e]);
    expect(summary(report)).toEqual([["broken-link", 1, "/prev_hash", 2]]);
    expect(report.problems[0]?.message).toContain("reordered");
    expect(report.anchored).toEqual([
      { from: 0, to: 0 },
      { from: 2, to: 4 },
    ]);
    expect(summary(await verifyChain([b, a, c]))).toEqual([["missing-genesis", 0, "/prev_hash", undefined]]);
  });

  test("is ok in its own order only", async () => {
    const records = chainOf(7);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(records, { minLength: 7 }), async (shuffled) => {
        const sorted = shuffled.every((record, index) => record === records[index]);
        expect((await verifyChain(shuffled)).ok).toBe(sorted);
      }),
    );
  });

  test("second-genesis", async () => {
    const records = chainOf(3);
    const other = chainOf(2, { prefix: "other" });
    const report = await verifyChain([...records, ...other]);
    expect(summary(report)).toEqual([["second-genesis", 3, "/prev_hash", 0]]);
    expect(report.unanchored).toEqual([{ from: 3, to: 4 }]);
  });

  test("fork: both branches are followed, and each fork is one problem", async () => {
    const trunk = chainOf(3);
    const sources = (id: string) => ({ now: "now", id });
    const fields = { type: "plan", task_id: "task-42", agent_id: "a", content: "" } as const;
    const left = createThought(fields, at(trunk, 2), sources("left"));
    const right = createThought(fields, at(trunk, 2), sources("right"));
    const leftNext = createThought(fields, left, sources("left next"));
    const rightNext = createThought(fields, right, sources("right next"));
    const report = await verifyChain([...trunk, left, right, leftNext, rightNext]);
    expect(summary(report)).toEqual([["fork", 4, "/prev_hash", 2]]);
    expect(report.problems[0]?.message).not.toContain("altered");
    expect(report.anchored).toEqual([{ from: 0, to: 6 }]);
    const third = createThought(fields, left, sources("third"));
    expect(summary(await verifyChain([...trunk, left, right, leftNext, third]))).toEqual([
      ["fork", 4, "/prev_hash", 2],
      ["fork", 6, "/prev_hash", 3],
    ]);
  });

  test("duplicate: the same record again, or its id with other content", async () => {
    const records = chainOf(4);
    expect(summary(await verifyChain([...records.slice(0, 3), at(records, 1), at(records, 3)]))).toEqual([
      ["duplicate", 3, "/id", 1],
    ]);
    expect(summary(await verifyChain([...records, ...records])).map((problem) => (problem as string[])[0])).toEqual(
      Array.from({ length: 4 }, () => "duplicate"),
    );
    const fields = { type: "plan", task_id: "task-42", agent_id: "a", content: "" } as const;
    const reused = createThought(fields, at(records, 3), { now: "now", id: "rec-1" });
    expect(summary(await verifyChain([...records, reused]))).toEqual([["duplicate", 4, "/id", 1]]);
  });

  test("duplicate: also a copy behind a record that came late", async () => {
    const [first, second] = chainOf(2) as [ThoughtRecord, ThoughtRecord];
    const { problems, unanchored } = await verifyChain([second, first, second]);
    expect(problems.map(({ kind, index }) => [kind, index])).toEqual([
      ["missing-genesis", 0],
      ["duplicate", 2],
    ]);
    expect(problems[1]?.message).toBe('record "rec-1" is already at index 0');
    expect(unanchored).toEqual([
      { from: 0, to: 0 },
      { from: 2, to: 2 },
    ]);
  });

  test("duplicate: reported in the order of discovery at any index, and counted at once", async () => {
    const fields = { type: "plan", task_id: "task-42", agent_id: "a", content: "" } as const;
    for (let length = 1; length < 40; length++) {
      const records = chainOf(length);
      const twins: ThoughtRecord[] = [];
      for (const id of ["rec-0", "new", "new"]) {
        twins.push(createThought(fields, twins.at(-1) ?? at(records, length - 1), { now: "now", id }));
      }
      const stray = createThought(fields, null, { now: "now", id: "stray" });
      const all = [...records, ...twins, stray];
      const expected = [
        ["duplicate", length, "/id", 0],
        ["duplicate", length + 2, "/id", length + 1],
        ["second-genesis", length + 3, "/prev_hash", 0],
      ];
      expect(summary(await verifyChain(all))).toEqual(expected);
      const { tasks } = await verifyTasks(all);
      expect(tasks[0]?.problems.map(({ position }) => position)).toEqual(expected.map(([, index]) => index));
      const verifier = new ChainVerifier();
      const counts = all.map((record) => [verifier.push(record), verifier.problemCount][1]);
      expect(counts.slice(length)).toEqual([1, 1, 2, 3]);
    }
  });

  test("duplicate: UUIDs and other ids are distinguished exactly", async () => {
    const uuids = chainOf(300, { id: (index) => `01234567-89ab-4cde-8f01-${index.toString(16).padStart(12, "0")}` });
    expect((await verifyChain(uuids)).ok).toBe(true);
    const fields = { type: "plan", task_id: "task-42", agent_id: "a", content: "" } as const;
    const reused = createThought(fields, at(uuids, 299), { now: "now", id: at(uuids, 17).id });
    expect(summary(await verifyChain([...uuids, reused]))).toEqual([["duplicate", 300, "/id", 17]]);
    const upper = createThought(fields, at(uuids, 299), { now: "now", id: at(uuids, 17).id.toUpperCase() });
    expect((await verifyChain([...uuids, upper])).ok).toBe(true);
  });

  test("duplicate: ids of any form are distinguished exactly", async () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 20 });
    const ids = fc.uniqueArray(fc.oneof(fc.uuid(), text, fc.constantFrom("a", "a\0", "\0a", "\u0100", "0".repeat(16))));
    await fc.assert(
      fc.asyncProperty(ids, async (candidates) => {
        const unique = candidates.filter((id) => id !== "");
        const records = chainOf(unique.length, { id: (index) => unique[index] ?? "" });
        expect((await verifyChain(records)).ok).toBe(true);
      }),
    );
  });

  test("foreign-task", async () => {
    const records = chainOf(4);
    const foreign = at(chainOf(2, { taskId: "task-43", prefix: "foreign" }), 1);
    expect(summary(await verifyChain(records.toSpliced(2, 0, foreign)))).toEqual([
      ["foreign-task", 2, "/task_id", undefined],
    ]);
    expect((await verifyChain(records, { taskId: "task-43" })).counts["foreign-task"]).toBe(4);
  });
});
