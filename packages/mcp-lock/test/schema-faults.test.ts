import type { JsonObject } from "@agentprint/canonical-json";
import { ALLOWED_INPUT as ALLOWED, FAULTY_TOOLS } from "@agentprint/testing/lock/faulty-tools";
import { answersOf } from "@agentprint/testing/lock/offer";
import { describe, expect, test } from "vitest";
import { checkLock, createLock, type DriftFinding, driftFindings } from "../src/index.ts";

const RULE = "mcp/schema-not-allowed";
const named = (members: JsonObject, name = "read"): JsonObject => ({ name, ...members });
const checked = (before: readonly JsonObject[], after: readonly JsonObject[], options = {}) =>
  driftFindings(checkLock(createLock({ fs: answersOf(before) }), { fs: answersOf(after) }, options));
const faultsOf = (findings: readonly DriftFinding[]) =>
  findings
    .filter(({ rule }) => rule === RULE)
    .map(({ level, place, isRemark = false }) => ({ level, tool: place.tool, pointer: place.pointer, isRemark }));

describe.each(FAULTY_TOOLS)("a schema that is not allowed: %s", (_, members, pointer) => {
  const [good, bad] = [named({ inputSchema: ALLOWED }), named(members)];
  const error = { level: "error", tool: "read", pointer, isRemark: false };
  const note = { ...error, level: "note", isRemark: true };

  test("is one error where it was allowed before, and no one says that callers can continue", () => {
    const findings = checked([good], [bad]);
    expect(faultsOf(findings)).toEqual([error]);
    expect(JSON.stringify(findings)).not.toMatch(/Compatible|can go on/);
  });

  test("is an error of a new tool, and of a renamed one", () => {
    expect(faultsOf(checked([], [bad]))).toEqual([error]);
    const renamed = checked([{ ...good, description: "Reads" }], [{ ...bad, description: "Reads", name: "read_it" }]);
    expect(faultsOf(renamed)).toEqual([{ ...error, tool: "read_it" }]);
  });

  test("is a note when it is pinned, and at each check after that, whatever else changed", () => {
    expect(faultsOf(checked([bad], [bad], { isFirst: true }))).toEqual([note]);
    expect(faultsOf(checked([bad], [bad]))).toEqual([note]);
    expect(faultsOf(checked([bad], [{ ...bad, description: "Reads" }]))).toEqual([note]);
    expect(faultsOf(driftFindings(checkLock(createLock({}), { fs: answersOf([bad]) })))).toEqual([note]);
  });

  test("is absent if the new version fixes it", () => {
    expect(faultsOf(checked([bad], [good]))).toEqual([]);
  });
});

test("a schema that MCP 2026-07-28 allows has no finding", () => {
  const allowed: JsonObject[] = [
    { inputSchema: { type: "object" } },
    { inputSchema: { type: "object", $schema: "", properties: { path: true }, anyOf: [{ required: ["path"] }] } },
    { inputSchema: ALLOWED, outputSchema: {} },
    { inputSchema: ALLOWED, outputSchema: { type: "array", items: { type: "string" } } },
  ];
  for (const members of allowed) {
    expect(faultsOf(checked([], [named(members)]))).toEqual([]);
    expect(faultsOf(checked([named({ inputSchema: ALLOWED })], [named(members)]))).toEqual([]);
  }
});

test("one forbidden form does not excuse another tool that was allowed", () => {
  const [good, bad] = [named({ inputSchema: ALLOWED }, "write"), named({ inputSchema: null })];
  const note = { level: "note", tool: "read", pointer: "/inputSchema", isRemark: true };
  const error = { level: "error", tool: "write", pointer: "/inputSchema/type", isRemark: false };
  expect(faultsOf(checked([good, bad], [named({ inputSchema: {} }, "write"), bad]))).toEqual([error, note]);
  expect(faultsOf(checked([bad], [named({})]))).toEqual([note]);
  const both = checked([named({ inputSchema: null })], [named({ inputSchema: null, outputSchema: null })]);
  expect(faultsOf(both)).toEqual([{ ...note, level: "error", pointer: "/outputSchema", isRemark: false }, note]);
});

test("the values at the fault are shown, and a change that breaks keeps its finding", () => {
  const findings = checked(
    [named({ inputSchema: ALLOWED })],
    [named({ inputSchema: { ...ALLOWED, type: ["object"] } })],
  );
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatchObject({ rule: RULE, before: "object", after: ["object"] });
  expect(findings[0]?.note).toContain("Official clients refuse the complete list");
  const breaking = checked([named({ inputSchema: ALLOWED })], [named({ inputSchema: { required: ["to"] } })]);
  expect(breaking.map(({ rule }) => rule)).toEqual(expect.arrayContaining([RULE, "mcp/tool-contract-changed"]));
  const unread = checked([named({ inputSchema: ALLOWED })], [named({ inputSchema: null })]);
  expect(unread.map(({ rule }) => rule)).toEqual([RULE, "mcp/contract-unproven"]);
});
