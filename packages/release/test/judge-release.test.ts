import type { JsonObject } from "@agentprint/canonical-json";
import { DRIFT_RULES, type LockedServer, lockServer } from "@agentprint/mcp-lock";
import { PRESETS } from "@agentprint/policy";
import { entryOf, strictTool, tool } from "@agentprint/testing/lock/locked-server";
import { answersOf } from "@agentprint/testing/lock/offer";
import { session, visit } from "@agentprint/testing/lock/visit-answers";
import { describe, expect, test } from "vitest";
import { judgeRelease, RELEASE_LEVELS } from "../src/index.ts";

const judge = (before: LockedServer, after: LockedServer) => {
  const { level, changes } = judgeRelease(before, after);
  return { level, changes: changes.map(({ finding, level, breaks }) => [finding.rule, level, breaks]) };
};
const READ = entryOf([tool("read")]);
const withInput = (inputSchema: JsonObject) => entryOf([tool("read", { inputSchema })]);

describe("the level of a release is", () => {
  test("none where nothing changed, and patch where only the version did", () => {
    expect(judge(READ, READ)).toEqual({ level: "none", changes: [] });
    expect(judge(READ, entryOf([tool("read")], "1.0.1"))).toEqual({
      level: "patch",
      changes: [["mcp/server-version-changed", "patch", false]],
    });
  });

  test("patch for a schema that takes the same calls in another notation", () => {
    const [before, after] = [{ enum: ["a", "b"] }, { anyOf: [{ const: "a" }, { const: "b" }] }].map((mode) =>
      withInput({ type: "object", properties: { mode }, additionalProperties: false }),
    ) as [LockedServer, LockedServer];
    expect(judge(before, after)).toEqual({ level: "patch", changes: [["mcp/schema-compatible", "patch", false]] });
  });

  test("minor for a new tool, and for other words", () => {
    expect(judge(READ, entryOf([tool("read"), tool("write")])).level).toBe("minor");
    expect(
      judge(READ, entryOf([tool("read", { description: "Reads one file and returns its full text" })])).level,
    ).toBe("minor");
  });

  test("major for a prompt that changed, which breaks callers where an argument has to be given", () => {
    const of = (more: JsonObject) => lockServer("files", answersOf([], { prompts: [{ name: "greet", ...more }] }));
    const argument = (required: boolean) => of({ arguments: [{ name: "who", required }] });
    expect(judge(of({}), argument(false))).toEqual({ level: "major", changes: [["mcp/item-changed", "major", false]] });
    expect(judge(of({}), argument(true))).toEqual({ level: "major", changes: [["mcp/item-changed", "major", true]] });
  });

  test("major for what breaks, with the call that proves it", () => {
    const { level, changes } = judgeRelease(READ, entryOf([strictTool("read")]));
    expect(level).toBe("major");
    expect(changes).toMatchObject([
      { breaks: true, finding: { note: expect.stringContaining("arguments {} were valid") } },
    ]);
    expect(judge(READ, entryOf([]))).toEqual({ level: "major", changes: [["mcp/item-removed", "major", true]] });
  });

  test("major for what only a person can accept, which breaks nothing", () => {
    const properties = { path: { type: "string" }, context: { type: "string" } };
    const wider = withInput({ type: "object", properties, additionalProperties: false });
    expect(judge(READ, wider)).toEqual({ level: "major", changes: [["mcp/free-text-added", "major", false]] });
  });

  test("major for a rename, also for one that is declared", () => {
    const declared = new Map([["read", "load"]]);
    const { level, changes } = judgeRelease(READ, entryOf([tool("load")]), declared);
    expect(level).toBe("major");
    expect(changes.map(({ finding }) => finding.message)).toEqual([
      "renamed from read, as declared, all else is the same",
    ]);
  });

  test("major for an era, which breaks callers only where it is lost", () => {
    const legacy = session("legacy/bare");
    const [before, after] = [[legacy], [legacy, session("modern/bare")]].map((all) =>
      lockServer("files", visit(...all)),
    ) as [LockedServer, LockedServer];
    const era = ({ changes }: ReturnType<typeof judge>) => changes.filter(([rule]) => rule === "mcp/era-changed");
    expect(era(judge(before, after))).toEqual([["mcp/era-changed", "major", false]]);
    expect(era(judge(after, before))).toEqual([["mcp/era-changed", "major", true]]);
  });

  test("not the asking client's", () => {
    const asked = lockServer("files", {
      ...answersOf([tool("read")], { serverInfo: { name: "files", version: "1.0.0" } }),
      client: "cursor",
    });
    expect(judge(asked, READ)).toEqual({ level: "none", changes: [] });
  });

  test("major where compatible has an error, for every rule that it names", () => {
    for (const [rule, { check }] of Object.entries(PRESETS.compatible.rules)) {
      expect(Object.keys(DRIFT_RULES)).toContain(rule);
      if (check !== undefined) expect(["warning", "error"]).toContain(check);
    }
    expect(RELEASE_LEVELS).toEqual(["none", "patch", "minor", "major"]);
  });
});
