import { describe, expect, test } from "vitest";
import {
  type ApplyPolicyOptions,
  applyPolicy,
  type PolicyDocument,
  type PolicyFinding,
  parsePolicy,
} from "../src/index.ts";
import { RULES } from "./support/rules.ts";

const TODAY = "2026-06-15";
const RULE = "mcp/item-added";
const FINDING: PolicyFinding = {
  rule: RULE,
  level: "warning",
  place: { subject: "files › read", server: "files", tool: "read", pointer: "/name" },
};
const apply = (document: PolicyDocument, findings = [FINDING], options?: Partial<ApplyPolicyOptions>) =>
  applyPolicy(findings, parsePolicy(document, RULES), { today: TODAY, ...options });
const outcomeOf = (...given: Parameters<typeof apply>) => apply(...given).outcome;

describe("the outcome", () => {
  test.each<[string, PolicyDocument, Partial<PolicyFinding>, string]>([
    ["strict counts warnings", {}, {}, "drift"],
    ["strict does not count notes", {}, { level: "note" }, "same"],
    ["notes count on demand", { failOn: "note" }, { level: "note" }, "drift"],
    ["compatible counts errors", { preset: "compatible" }, {}, "same"],
    ["compatible counts errors", { preset: "compatible" }, { rule: "mcp/item-removed", level: "error" }, "drift"],
    ["compatible counts warnings on demand", { preset: "compatible", failOn: "warning" }, {}, "drift"],
    ["a level is raised", { preset: "compatible", rules: { [RULE]: "error" } }, {}, "drift"],
    ["a level is lowered", { rules: { [RULE]: "note" } }, {}, "same"],
    ["a server counts more", { failOn: "error", servers: { files: { failOn: "note" } } }, { level: "note" }, "drift"],
    ["another server counts more", { failOn: "error", servers: { web: { failOn: "note" } } }, {}, "same"],
    ["the preset of a server counts", { failOn: "error", servers: { files: { preset: "strict" } } }, {}, "drift"],
    ["a remark does not count", { failOn: "note" }, { isRemark: true }, "same"],
    ["a remark does not count in a preset", { preset: "strict" }, { isRemark: true, level: "error" }, "same"],
    ["a remark counts that is named", { rules: { [RULE]: "warning" } }, { isRemark: true }, "drift"],
    [
      "a remark counts that a server names",
      { servers: { files: { rules: { [RULE]: "error" } } } },
      { isRemark: true },
      "drift",
    ],
    ["a named remark counts by its level", { rules: { [RULE]: "note" } }, { isRemark: true }, "same"],
    [
      "a remark that only its guard names does not count",
      { rules: { [RULE]: { guard: "ask" } } },
      { isRemark: true },
      "same",
    ],
    ["could not tell is unknown", { rules: { [RULE]: "off" } }, { couldNotTell: true }, "unknown"],
  ])("%s: %j, %j", (_name, document, members, outcome) => {
    expect(outcomeOf(document, [{ ...FINDING, ...members }])).toBe(outcome);
  });

  test("is the same without findings, and unknown where one of several could not tell", () => {
    expect(outcomeOf({}, [])).toBe("same");
    const unread: PolicyFinding = { ...FINDING, couldNotTell: true };
    expect(outcomeOf({}, [unread, FINDING])).toBe("unknown");
    expect(outcomeOf({}, [FINDING, unread])).toBe("unknown");
  });

  test("depends on errors alone where a command says so and the policy names no level", () => {
    expect(outcomeOf({}, [FINDING], { onlyErrors: true })).toBe("same");
    expect(outcomeOf({ failOn: "warning" }, [FINDING], { onlyErrors: true })).toBe("drift");
  });
});

describe("behind a guard", () => {
  const opened = { ...FINDING, rule: "mcp/free-text-added", level: "error" as const };
  const levelOf = (document: PolicyDocument, finding: PolicyFinding, isGuarded = true) =>
    apply(document, [finding], { isGuarded: () => isGuarded }).findings[0]?.level;

  test("what a preset freezes is at most a warning", () => {
    expect(levelOf({ preset: "compatible" }, opened)).toBe("warning");
    expect(levelOf({ preset: "compatible" }, opened, false)).toBe("error");
    expect(levelOf({ preset: "breaking" }, opened)).toBe("note");
    expect(outcomeOf({ preset: "compatible" }, [opened], { isGuarded: () => true })).toBe("same");
  });

  test("what is blocked, and what a rule decides, keeps its level", () => {
    expect(levelOf({}, opened)).toBe("error");
    expect(levelOf({ preset: "compatible" }, { ...opened, rule: "mcp/hint-less-asking" })).toBe("error");
    expect(levelOf({ preset: "compatible", rules: { [opened.rule]: "error" } }, opened)).toBe("error");
    expect(levelOf({ preset: "compatible", rules: { [opened.rule]: { guard: "block" } } }, opened)).toBe("error");
  });
});

describe("findings", () => {
  test("have the levels of the policy, and their other members", () => {
    const { findings, ignored } = apply({ rules: { [RULE]: "error" } }, [
      FINDING,
      { ...FINDING, rule: "mcp/item-removed" },
    ]);
    expect(findings).toEqual([
      { ...FINDING, level: "error" },
      { ...FINDING, rule: "mcp/item-removed" },
    ]);
    expect(ignored).toBe(0);
  });

  test("are left out that are off, and counted", () => {
    expect(apply({ rules: { [RULE]: "off" } })).toEqual({
      findings: [],
      counting: new Set(),
      outcome: "same",
      ignored: 1,
      expired: [],
    });
  });
});

describe("an ignore", () => {
  const IGNORE = { rule: RULE, until: TODAY, reason: "agreed" };

  test.each<[string, object, number]>([
    ["of a rule", {}, 1],
    ["of another rule", { rule: "mcp/item-removed" }, 0],
    ["of a server", { server: "files" }, 1],
    ["of another server", { server: "web" }, 0],
    ["of a tool", { tool: "read" }, 1],
    ["of another tool", { tool: "write" }, 0],
    ["of a place", { path: "/name" }, 1],
    ["of another place", { path: "" }, 0],
    ["of all that", { server: "files", tool: "read", path: "/name" }, 1],
    ["until yesterday", { until: "2026-06-14" }, 0],
  ])("%s", (_name, members, ignored) => {
    expect(apply({ ignores: [{ ...IGNORE, ...members }] }).ignored).toBe(ignored);
  });

  test("of the whole subject leaves out a finding without a pointer", () => {
    const { pointer: _, ...place } = FINDING.place;
    expect(apply({ ignores: [{ ...IGNORE, path: "" }] }, [{ ...FINDING, place }]).ignored).toBe(1);
  });

  test("that has expired is reported, in the finding and next to the findings", () => {
    const over = { ...IGNORE, until: "2026-06-14" };
    const { findings, expired } = apply({ ignores: [over] }, [FINDING, { ...FINDING, note: "Seen twice" }]);
    const notice = "ignored until 2026-06-14 (agreed); that day is past";
    expect(findings.map(({ note }) => note)).toEqual([notice, `Seen twice; ${notice}`]);
    expect(expired).toEqual([over]);
  });

  test("that has expired does not end another one", () => {
    const over = { ...IGNORE, until: "2026-06-14" };
    expect(apply({ ignores: [over, IGNORE] })).toMatchObject({ ignored: 1, expired: [over] });
  });

  test("does not leave out what could not tell", () => {
    expect(apply({ ignores: [IGNORE] }, [{ ...FINDING, couldNotTell: true }])).toMatchObject({
      outcome: "unknown",
      ignored: 0,
    });
  });
});

describe("a finding about what someone accepted", () => {
  const accepted = { isAccepted: ({ rule }: PolicyFinding) => rule === RULE };

  test("is a note that does not count, whatever the policy says", () => {
    const { findings, outcome } = apply({ failOn: "note", rules: { [RULE]: "error" } }, [FINDING], accepted);
    expect(findings).toEqual([{ ...FINDING, level: "note" }]);
    expect(outcome).toBe("same");
  });

  test("counts where it is about another thing, or could not be read", () => {
    expect(outcomeOf({}, [{ ...FINDING, rule: "mcp/item-removed" }], accepted)).toBe("drift");
    expect(outcomeOf({}, [{ ...FINDING, couldNotTell: true }], accepted)).toBe("unknown");
  });
});
