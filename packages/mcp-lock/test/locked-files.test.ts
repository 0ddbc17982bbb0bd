import {
  checkLock,
  createLock,
  formatLock,
  lockServer,
  parseLock,
  type ServerDrift,
  type VisitAnswers,
} from "@agentprint/mcp-lock";
import { describe, expect, test } from "vitest";
import { everywhere } from "./visit-answers.ts";

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

  test("are drift where the bytes of one are other ones, or another file is named", () => {
    expect(check(withFiles(file("/args/0", "a")), withFiles(file("/args/0", "b")))).toMatchObject({
      outcome: "drift",
      drifts: [{ part: "files", changes: [{ pointer: "/args/0", before: "a".repeat(64), after: "b".repeat(64) }] }],
    });
    expect(check(withFiles(file("/args/0", "a")), withFiles(file("/args/1", "a")))).toMatchObject({
      drifts: [{ part: "files", changes: [{ pointer: "/args/0" }, { pointer: "/args/1" }] }],
    });
  });

  test("are no drift where the entry has no digests, or nobody looked at them", () => {
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
});
