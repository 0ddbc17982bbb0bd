import { describe, expect, test } from "vitest";
import { createThought, TrailError, thoughtCanonicalPayload } from "../../src/chain/index.ts";
import { computeHash, ThoughtRecordSchema, ZERO_HASH } from "../../src/index.ts";

const fields = { type: "plan", task_id: "t1", agent_id: "a1", content: "" } as const;
const sources = { now: () => new Date(0), id: () => "r1" };

function codeOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    if (error instanceof TrailError) return [error.code, error.path];
  }
  return undefined;
}

describe("createThought", () => {
  test("begins a chain with ZERO_HASH and follows a record with its hash", () => {
    const first = createThought(fields, null, sources);
    expect(ThoughtRecordSchema.parse(first)).toEqual(first);
    expect(first).toMatchObject({ id: "r1", timestamp: "1970-01-01T00:00:00.000Z", prev_hash: ZERO_HASH });
    expect(first.hash).toBe(computeHash(first));
    const second = createThought(fields, first, { now: "now", id: "r2" });
    expect(second).toMatchObject({ prev_hash: first.hash, timestamp: "now" });
  });

  test("hashes the exported payload", () => {
    const record = createThought({ ...fields, extra: 1 } as typeof fields, null, sources);
    expect(Object.keys(record)).toHaveLength(8);
    expect(Object.keys(thoughtCanonicalPayload(record))).toEqual([
      "id",
      "type",
      "task_id",
      "content",
      "timestamp",
      "prev_hash",
    ]);
  });

  test.each([
    [{ ...fields, type: "observation" }, "/type"],
    [{ ...fields, task_id: "" }, "/task_id"],
    [{ ...fields, agent_id: undefined }, "/agent_id"],
    [{ ...fields, content: 1 }, "/content"],
  ])("refuses %j", (bad, path) => {
    expect(codeOf(() => createThought(bad as typeof fields, null, sources))).toEqual(["invalid-thought", path]);
  });

  test("refuses an empty id and an invalid date", () => {
    expect(codeOf(() => createThought(fields, null, { ...sources, id: "" }))).toEqual(["invalid-thought", "/id"]);
    const now = new Date(Number.NaN);
    expect(codeOf(() => createThought(fields, null, { ...sources, now }))).toEqual(["invalid-thought", "/timestamp"]);
  });

  test("refuses to follow a record of another task or one that was altered", () => {
    const first = createThought(fields, null, sources);
    expect(codeOf(() => createThought({ ...fields, task_id: "t2" }, first, sources))).toEqual([
      "foreign-predecessor",
      "/task_id",
    ]);
    for (const bad of [
      { ...first, content: "other" },
      { ...first, hash: first.hash.toUpperCase() },
    ]) {
      expect(codeOf(() => createThought(fields, bad, sources))).toEqual(["altered-predecessor", "/hash"]);
    }
  });
});
