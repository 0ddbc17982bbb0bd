import type { JsonObject } from "@agentprint/canonical-json";
import { judgeReport, outcomeOf } from "@agentprint/findings";
import type { VisitAnswers } from "@agentprint/mcp";
import { answersOf } from "@agentprint/testing/lock/offer";
import { describe, expect, test } from "vitest";
import { driftToReport } from "../src/findings/index.ts";
import { checkLock, createLock, type DriftReport, diffLocks, formatLock } from "../src/index.ts";

const move: JsonObject = {
  name: "move_file",
  description: "Moves",
  inputSchema: { type: "object" },
  annotations: { destructiveHint: false },
};
const read: JsonObject = { name: "read_file", description: "Reads", inputSchema: { type: "object" } };
const flipped: JsonObject = { ...move, annotations: { destructiveHint: true } };
const lock = createLock({
  fs: answersOf([move, read], { capabilities: { tools: {}, prompts: {} } }),
  memory: answersOf([]),
  web: answersOf([read]),
});
const servers: Record<string, VisitAnswers | { failure: { code: string; message: string } }> = {
  fs: answersOf([flipped, { ...read, name: "readFile" }], {
    instructions: "New",
    capabilities: { tools: {}, prompts: {} },
    prompts: [{ name: "p" }],
  }),
  memory: { failure: { code: "timeout", message: "no answer within 10 s" } },
  web: answersOf([read]),
};
const drift = checkLock(lock, servers);

describe("driftToReport", () => {
  test("what is gone, what changed in a resource and what is alike have a finding each", () => {
    const search = {
      name: "searchFiles",
      description: "Searches for files",
      inputSchema: { type: "object", properties: { path: {} } },
    };
    const capabilities = { tools: {}, resources: {} };
    const before = answersOf([move, search], { capabilities, resources: [{ uri: "u", size: 1 }] });
    const after = answersOf([{ ...search, name: "search_files", description: "Searches files" }], {
      capabilities,
      resources: [{ uri: "u", size: 2 }],
    });
    const { findings } = driftToReport(checkLock(createLock({ s: before }), { s: after }));
    expect(findings.map(({ message }) => message)).toEqual([
      "prose changed",
      "resource changed",
      "tool removed",
      "likely renamed from searchFiles, 89 % alike",
      "no hints, so clients treat the tool as destructive",
    ]);
  });

  test("a server that gave no answers has no number of tools", () => {
    expect(driftToReport(drift).servers?.map(({ server, tools }) => [server, tools])).toEqual([
      ["fs", 3],
      ["memory", undefined],
      ["web", 1],
    ]);
  });

  test("each server and each item was checked", () => {
    expect(driftToReport(drift).checked).toEqual([
      "fs",
      "fs › move_file",
      "fs › readFile",
      "fs › read_file",
      "fs › prompt p",
      "memory",
      "web",
      "web › read_file",
    ]);
  });

  test("findings point to the lines of the lock file", () => {
    const lockText = formatLock(lock);
    const lines = lockText.split("\n");
    const { findings } = driftToReport(drift, { lockFile: "a/agentprint.lock", lockText });
    const lineOf = (subject: string) =>
      findings.find(({ place }) => place.subject === subject)?.place.location?.line ?? 0;
    const after = (subject: string) => lines.slice(lineOf(subject) - 1).join("\n");
    expect(after("fs › move_file")).toMatch(
      /^ {8}\{\n {10}"definition": \{\n {12}"annotations": \{\n {14}"destructiveHint": false/,
    );
    expect(JSON.parse(after("memory").split("\n    },\n")[0]?.concat("}") ?? "")).toMatchObject({ name: "memory" });
    expect(lineOf("fs › prompt p")).toBe(lineOf("fs"));
    expect(driftToReport(drift, { lockFile: "x" }).findings.map(({ place }) => place.location)).toEqual(
      findings.map(() => ({ file: "x" })),
    );
    expect(driftToReport(drift, { lockText }).findings.some(({ place }) => "location" in place)).toBe(false);
  });

  // An order that a merge may leave; within each object, the name comes first, so that it is the first name found after
  // that line.
  const merged = {
    lockVersion: lock.lockVersion,
    servers: lock.servers
      .map(({ name, ...server }) => ({ name, ...server, tools: server.tools.toReversed() }))
      .toReversed(),
  };

  test.each([
    { name: "in another order", text: JSON.stringify(merged, null, 1) },
    { name: "with other line ends, as bytes", text: JSON.stringify(merged, null, 1).replaceAll("\n", "\r\n") },
  ])("findings point to the lines of a lock file $name", ({ text }) => {
    const { findings } = driftToReport(drift, { lockFile: "x", lockText: new TextEncoder().encode(text) });
    const named = findings.map(({ place: { location, subject } }) => {
      const behind = text.split("\n").slice((location?.line ?? 0) - 1);
      return [subject, behind.join("\n").match(/"name": "(.*)"/)?.[1]];
    });
    expect(Object.fromEntries(named)).toEqual({
      fs: "fs",
      "fs › move_file": "move_file",
      "fs › readFile": "fs",
      "fs › prompt p": "fs",
      memory: "memory",
    });
  });

  test("findings point to the one line of a lock file without line ends", () => {
    const { findings } = driftToReport(drift, { lockFile: "x", lockText: JSON.stringify(lock) });
    expect(findings.map(({ place }) => place.location)).toEqual(
      findings.map(({ place }) => ({ file: "x", ...(place.server !== undefined && { line: 1 }) })),
    );
  });

  test("a text that is not a lock file is refused where lines of it are asked for", () => {
    expect(() => driftToReport(drift, { lockFile: "x", lockText: "{}" })).toThrow(
      expect.objectContaining({ code: "invalid-lock" }),
    );
    const one = { memory: answersOf([]) };
    const same = checkLock(createLock(one), one);
    expect(driftToReport(same, { lockFile: "x", lockText: "{}" }).findings).toEqual([]);
  });

  test("every finding has a rule", () => {
    const { findings, rules } = driftToReport(drift);
    for (const { rule } of findings) expect(Object.keys(rules)).toContain(rule);
  });
});

describe("summary", () => {
  const summary = (lockOf: Parameters<typeof createLock>[0], found: Parameters<typeof checkLock>[1]) =>
    driftToReport(checkLock(createLock(lockOf), found)).summary;
  const many = (count: number, snapshot: VisitAnswers) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, snapshot]));

  test.each<[string, string, string]>([
    ["nothing", summary({}, {}), "nothing was checked"],
    ["all the same", summary(many(2, answersOf([read])), many(2, answersOf([read]))), "2 servers unchanged (2 tools)"],
    ["not locked", summary({}, { s: answersOf([]) }), "s drifted: not in the lock"],
    [
      "launch",
      summary(
        { s: answersOf([]) },
        { s: answersOf([], { launch: { type: "http", url: "https://x.test/", headers: [] } }) },
      ),
      "s drifted: launch changed",
    ],
    [
      "many",
      summary({}, many(8, answersOf([]))),
      "s0 drifted: not in the lock; s1 drifted: not in the lock; s2 drifted: not in the lock; s3 drifted: not in the lock; s4 drifted: not in the lock; s5 drifted: not in the lock; s6 drifted: not in the lock; s7 drifted: not in the lock",
    ],
  ])("%s", (_name, actual, expected) => {
    expect(actual).toBe(expected);
  });

  test("collisions are notes", () => {
    const both = { a: answersOf([read]), b: answersOf([read]) };
    const report = driftToReport(checkLock(createLock(both), both));
    expect(judgeReport(report)).toMatchObject({
      outcome: "same",
      findings: [{ rule: "mcp/name-collision", level: "note", place: { subject: "read_file" }, after: ["a", "b"] }],
    });
  });

  test.each<[string, DriftReport]>([
    ["nothing that was checked", checkLock(createLock({}), {})],
    ["a change", drift],
    ["a server that was not read", checkLock(createLock({ a: answersOf([read]) }), {})],
    ["no change", checkLock(createLock({ a: answersOf([read]) }), { a: answersOf([read]) })],
    ["locks without a server", diffLocks(createLock({}), createLock({}))],
  ])("has the outcome of %s", (_name, found) => {
    expect(outcomeOf(driftToReport(found))).toBe(found.outcome);
  });
});
