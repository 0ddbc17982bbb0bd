import type { VisitAnswers } from "@agentprint/mcp";
import {
  checkLock,
  coverageOfEntry,
  createLock,
  formatLock,
  lockServer,
  parseLock,
  pinnedFiles,
  type ServerDrift,
} from "@agentprint/mcp-lock";
import { everywhere } from "@agentprint/testing/lock/visit-answers";
import { describe, expect, test } from "vitest";

function check(before: VisitAnswers, after: VisitAnswers): ServerDrift | undefined {
  return checkLock(createLock({ s: before }), { s: after }).servers[0];
}

describe("the files that a launch names", () => {
  const file = (pointer: string, digit: string) => ({ pointer, digest: digit.repeat(64) });
  const withFiles = (...files: ReturnType<typeof file>[]): VisitAnswers => ({ ...everywhere(), files });

  test("are in the entry, sorted by pointer and in its digest", () => {
    const entry = lockServer("s", withFiles(file("/args/1", "b"), file("/args/0", "a")));
    expect(entry.files).toEqual([file("/args/0", "a"), file("/args/1", "b")]);
    expect(lockServer("s", everywhere()).digest).not.toBe(entry.digest);
    expect(parseLock(formatLock({ lockVersion: 2, servers: [entry] })).servers).toEqual([entry]);
    expect(lockServer("s", withFiles())).toEqual(lockServer("s", everywhere()));
  });

  test("cover the launch of an entry without a coverage", () => {
    expect(coverageOfEntry(lockServer("s", withFiles(file("/args/0", "a"))))).toEqual({ state: "files" });
  });

  test("are drift where the bytes of one are other ones, or another file is named", () => {
    expect(check(withFiles(file("/args/0", "a")), withFiles(file("/args/0", "b")))).toMatchObject({
      outcome: "drift",
      drifts: [{ part: "files", changes: [{ pointer: "/args/0", before: "a".repeat(64), after: "b".repeat(64) }] }],
    });
    expect(check(withFiles(file("/args/0", "a")), withFiles(file("/args/1", "a")))).toMatchObject({
      drifts: [{ part: "files", changes: [{ pointer: "/args/0" }, { pointer: "/args/1" }] }],
    });
  });

  test("are no drift where the entry has no digests, or the visit did not read them", () => {
    expect(check(everywhere(), withFiles(file("/args/0", "a")))).toMatchObject({
      outcome: "same",
      drifts: [],
      remarks: [{ type: "unpinned-file", pointer: "/args/0" }],
    });
    expect(check(withFiles(file("/args/0", "a")), everywhere())).toMatchObject({
      outcome: "same",
      drifts: [],
      remarks: [],
    });
  });

  describe("the coverage of a launch", () => {
    const launch = { type: "stdio", command: "npm", args: ["run", "serve"], env: [] } as const;
    const answers: VisitAnswers = { ...everywhere(), launch: { ...launch, args: [...launch.args], env: [] } };
    const coverage = { state: "not covered", word: "npm", pointer: "/command", envFiles: [".env"] } as const;

    test("is in the entry, in its digest, and read again", () => {
      const entry = lockServer("s", { ...answers, coverage });
      expect(entry.coverage).toEqual(coverage);
      expect(entry.digest).not.toBe(lockServer("s", answers).digest);
      const text = formatLock({ lockVersion: 2, servers: [entry] });
      expect(parseLock(text).servers).toEqual([entry]);
      expect(() => parseLock(text.replace("not covered", "artifact"))).toThrow(/digest/);
      expect(() => parseLock(text.replace("not covered", "covered"))).toThrow(
        /one of "files", "artifact", "not covered"/,
      );
    });

    test("is recomputed where an entry has none", () => {
      expect(coverageOfEntry(lockServer("s", answers))).toEqual({
        state: "not covered",
        word: "npm",
        pointer: "/command",
      });
      expect(pinnedFiles(lockServer("s", answers))).toEqual([]);
      const timeout = { ...launch, command: "timeout", args: ["9", "node", "s.js"], env: [] };
      const wrong = lockServer("s", { ...answers, launch: timeout, files: [file("/command", "a")] });
      expect(coverageOfEntry(wrong)).toEqual({ state: "not covered", word: "s.js", pointer: "/args/2" });
      expect(pinnedFiles(wrong)).toEqual([]);
    });

    test("alone is no drift, and what it names is noted for what is new", () => {
      expect(check(answers, { ...answers, coverage })).toMatchObject({ outcome: "same", drifts: [] });
      expect(check({ ...answers, coverage }, answers)).toMatchObject({ outcome: "same", drifts: [], remarks: [] });
      const timeout = { ...launch, command: "timeout", args: ["9", "node", "s.js"], env: [] };
      const before: VisitAnswers = { ...answers, launch: timeout, files: [file("/command", "a")] };
      const after: VisitAnswers = { ...before, files: [file("/args/2", "b")], coverage: { state: "files" } };
      expect(check(before, after)).toMatchObject({
        outcome: "same",
        drifts: [],
        remarks: [{ type: "unpinned-file", pointer: "/args/2" }],
      });
    });
  });
});
