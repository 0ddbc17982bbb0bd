import { describe, expect, test } from "vitest";
import { decide, type PolicyDocument, type PolicyFinding, parsePolicy } from "../src/index.ts";
import { RULES } from "./support/rules.ts";

const PROSE = "mcp/tool-prose-changed";
const finding = (members: Partial<PolicyFinding> = {}): PolicyFinding => ({
  rule: PROSE,
  level: "error",
  place: { subject: "files › read", server: "files" },
  ...members,
});
const decided = (document: PolicyDocument, members?: Partial<PolicyFinding>) =>
  Object.values(decide(finding(members), parsePolicy(document, RULES)));

describe("the most specific decision wins", () => {
  test.each<[document: PolicyDocument, check: string, guard: string]>([
    [{}, "error", "block"],
    [{ preset: "compatible" }, "warning", "freeze"],
    [{ preset: "breaking" }, "note", "pass"],
    [{ preset: "breaking", rules: { [PROSE]: "error" } }, "error", "pass"],
    [{ preset: "breaking", rules: { [PROSE]: { guard: "ask" } } }, "note", "ask"],
    [{ rules: { [PROSE]: "off" }, servers: { files: { preset: "compatible" } } }, "warning", "freeze"],
    [{ preset: "breaking", rules: { [PROSE]: "off" }, servers: { files: { preset: "strict" } } }, "error", "block"],
    [{ rules: { [PROSE]: "off" }, servers: { files: { rules: { [PROSE]: "note" } } } }, "note", "block"],
    [{ servers: { files: { preset: "breaking", rules: { [PROSE]: { guard: "ask" } } } } }, "note", "ask"],
    [{ rules: { [PROSE]: "off" }, servers: { web: { preset: "breaking" } } }, "off", "block"],
  ])("%j", (document, ...expected) => {
    expect(decided(document)).toEqual(expected);
  });

  test("where a finding is about no server, or about one that has the name of a method", () => {
    const document: PolicyDocument = { servers: { files: { preset: "breaking" } } };
    expect(decided(document, { place: { subject: "a tool" } })).toEqual(["error", "block"]);
    expect(decided(document, { place: { subject: "a tool", server: "toString" } })).toEqual(["error", "block"]);
  });
});

test("a rule that no preset names keeps its level, and a guard blocks it", () => {
  for (const preset of ["strict", "compatible", "breaking"] as const) {
    expect(decided({ preset }, { rule: "manifest/tool-added", level: "note" })).toEqual(["note", "block"]);
  }
});

test("a guard passes a remark, unless the rules say otherwise", () => {
  const remark = { rule: "mcp/era-divergence", level: "warning", isRemark: true } as const;
  expect(decided({}, remark)).toEqual(["warning", "pass"]);
  expect(decided({ rules: { "mcp/era-divergence": { guard: "block" } } }, remark)).toEqual(["warning", "block"]);
});

test("no policy decides about what could not tell, and about its own weakening", () => {
  const policy = parsePolicy({ rules: { [PROSE]: { check: "off", guard: "pass" } } }, RULES);
  expect(decide(finding({ couldNotTell: true }), policy)).toEqual({ check: "error", guard: "block" });
  expect(decide(finding({ rule: "policy/weakened" }), policy)).toEqual({ check: "error", guard: "block" });
});
