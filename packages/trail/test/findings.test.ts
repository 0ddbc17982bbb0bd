import { describe, expect, test } from "vitest";
import { PROBLEM_KINDS, verifyChain, verifyThoughtLines } from "../src/chain/index.ts";
import { computeTreeHead } from "../src/checkpoint/index.ts";
import { CHAIN_RULES, chainFindings, chainSubject, uncoveredFinding } from "../src/findings/index.ts";
import { chainOf } from "./records.ts";

test("each kind of problem has a rule, and so have members that no hash covers and records that were dropped", () => {
  const ids = [...PROBLEM_KINDS, "uncovered-members", "dropped-range"].map((kind) => `trail/${kind}`);
  expect(Object.keys(CHAIN_RULES).sort()).toEqual(ids.sort());
});

describe("the findings about a chain", () => {
  test("have the place of the value", async () => {
    const [finding] = chainFindings(await verifyChain([{ id: "one", hash: "" }]));
    expect(finding).toMatchObject({
      rule: "trail/malformed",
      level: "error",
      message: expect.stringMatching(/^record 0: /),
    });
    expect(finding?.place).toEqual({ subject: "records of no task", pointer: "/type" });
  });

  test("have the line in a file", async () => {
    const chain = await verifyThoughtLines([new TextEncoder().encode("{\n")]);
    expect(chainFindings(chain, "trail.jsonl")).toMatchObject([
      { rule: "trail/malformed", place: { location: { file: "trail.jsonl", line: 1 } } },
    ]);
  });
});

test("records that were dropped are a remark with their root", async () => {
  const records = chainOf(3);
  const head = await computeTreeHead(records.slice(0, 2), { range: true });
  const [finding] = chainFindings(await verifyChain(records.slice(2), { checkpoints: [head] }));
  expect(finding).toMatchObject({ rule: "trail/dropped-range", level: "note", isRemark: true });
  expect(finding?.place).toEqual({ subject: "task task-42" });
  expect(finding?.message).toMatch(new RegExp(`^records 0 to 1 were dropped; .* root ${head.rootHash}`));
});

describe("the finding about members that no hash covers", () => {
  const members = { taskId: "t", line: 3, paths: ["/note"], count: 1 };

  test("is a remark about the line", () => {
    expect(uncoveredFinding(members, "trail.jsonl")).toEqual({
      rule: "trail/uncovered-members",
      level: "note",
      message: "line 3: no hash covers /note",
      place: { subject: "task t", location: { file: "trail.jsonl", line: 3 } },
      isRemark: true,
    });
  });

  test("counts those that it does not list", () => {
    const { message, place } = uncoveredFinding({ ...members, count: 12 });
    expect([message, place]).toEqual(["line 3: no hash covers /note and 11 more", { subject: "task t" }]);
  });
});

test("a chain has a name", () => {
  expect([chainSubject({ taskId: "t" }), chainSubject({ taskId: null })]).toEqual(["task t", "records of no task"]);
});
