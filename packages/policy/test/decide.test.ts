import { DRIFT_CATALOG } from "@agentprint/mcp-lock";
import { describe, expect, test } from "vitest";
import { asStated, decide, type PolicyDocument, type PolicyFinding, parsePolicy } from "../src/index.ts";
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
    expect(decided({ preset }, { rule: "manifest/tool_added", level: "note" })).toEqual(["note", "block"]);
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

describe("a server about which a statement is required", () => {
  const statements = {
    files: { keys: ["MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="], required: true },
  };
  const guarded = (document: PolicyDocument, members?: Partial<PolicyFinding>) =>
    decide(finding(members), asStated(parsePolicy(document, RULES), "files")).guard;

  test("is held to each definition, whatever the policy passes", () => {
    const rules = { [PROSE]: { guard: "pass" } } as const;
    for (const policy of [{ preset: "breaking" }, { rules }, { servers: { files: { rules } } }] as const) {
      expect(guarded({ ...policy, statements })).toBe("block");
    }
    const web: PolicyFinding["place"] = { subject: "web › read", server: "web" };
    expect(guarded({ preset: "breaking", statements }, { place: web })).toBe("pass");
  });

  test("keeps the decisions about anything else, and those of a check", () => {
    const own = { preset: "compatible", rules: { [PROSE]: { check: "note", guard: "pass" } } } as const;
    const document: PolicyDocument = { statements, servers: { files: own } };
    expect(guarded(document, { rule: "mcp/server-version-changed" })).toBe("freeze");
    expect(decide(finding(), asStated(parsePolicy(document, RULES), "files"))).toEqual({
      check: "note",
      guard: "block",
    });
  });

  test("is one whose statement is required, and no other", () => {
    const { files } = statements;
    const policy = parsePolicy({ preset: "breaking", statements: { files: { ...files, required: false } } }, RULES);
    expect(asStated(policy, "files")).toBe(policy);
    expect(asStated(policy, "toString")).toBe(policy);
  });

  test("is held by each rule about a definition that there is", () => {
    const decisions = asStated(parsePolicy({ statements }, RULES), "files").servers["files"]?.rules ?? {};
    expect(Object.keys(decisions).filter((rule) => DRIFT_CATALOG.find(rule) === undefined)).toEqual([]);
  });
});
