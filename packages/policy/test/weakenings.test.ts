import { LEVELS } from "@agentprint/findings";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CHECK_DECISIONS } from "../src/apply/decisions.ts";
import {
  applyPolicy,
  decide,
  decideCall,
  GUARD_DECISIONS,
  type PolicyDocument,
  PRESET_NAMES,
  PRESETS,
  parsePolicy,
  policyFindings,
  weakenings,
} from "../src/index.ts";
import { CALLS, FINDINGS, policies } from "./support/policies.ts";
import { RULES } from "./support/rules.ts";

const parse = (document: PolicyDocument) => parsePolicy(document, RULES);
const weaker = (before: PolicyDocument, after: PolicyDocument) => weakenings(parse(before), parse(after));
const pointers = (...sides: Parameters<typeof weaker>) => weaker(...sides).map(({ pointer }) => pointer);

const X = "mcp/item-removed";
const IGNORE = { rule: X, until: "2026-06-30", reason: "agreed" };
const calls = (read: object): PolicyDocument => ({ servers: { files: { calls: { read } } } });
const KEY = `MCowBQYDK2VwAyEA${"A".repeat(43)}=`;
const OTHER_KEY = `MCowBQYDK2VwAyEA${"B".repeat(43)}=`;
const signed = (rule: object): PolicyDocument => ({ statements: { files: { from: "s.json", keys: [KEY], ...rule } } });
const paths = (root: string | string[], more: object = {}) => ({
  type: "object",
  properties: { path: { type: "string", "path-within": root, ...more } },
});

describe("a policy is weaker", () => {
  test.each<[string, PolicyDocument, PolicyDocument, string[]]>([
    ["with a lower preset", {}, { preset: "compatible" }, ["/preset"]],
    ["with the lowest preset", { preset: "compatible" }, { preset: "breaking" }, ["/preset"]],
    ["where less counts", {}, { failOn: "error" }, ["/failOn"]],
    ["where a level no longer counts", { failOn: "note" }, {}, ["/failOn"]],
    ["with a lower level", { rules: { [X]: "error" } }, { rules: { [X]: "warning" } }, ["/rules/mcp~1item-removed"]],
    ["with a new rule", {}, { rules: { [X]: "off" } }, ["/rules/mcp~1item-removed"]],
    [
      "without a rule",
      { preset: "breaking", rules: { "mcp/item-added": "error" } },
      { preset: "breaking" },
      ["/rules/mcp~1item-added"],
    ],
    [
      "with a lower guard",
      { rules: { [X]: { guard: "ask" } } },
      { rules: { [X]: { guard: "freeze" } } },
      ["/rules/mcp~1item-removed"],
    ],
    ["with another key", signed({}), signed({ keys: [KEY, OTHER_KEY] }), ["/statements/files/keys"]],
    ["where no statement is needed", signed({ required: true }), signed({}), ["/statements/files/required"]],
    ["where a statement lets changes pass", signed({}), signed({ accept: "patch" }), ["/statements/files/accept"]],
    ["with a first statement that does", {}, signed({ accept: "patch" }), ["/statements/files/accept"]],
    ["without a statement", signed({}), {}, ["/statements/files"]],
    ["with a server's own preset", {}, { servers: { files: { preset: "breaking" } } }, ["/servers/files/preset"]],
    ["with a server's own failOn", {}, { servers: { files: { failOn: "error" } } }, ["/servers/files/failOn"]],
    [
      "with a server's own rule",
      {},
      { servers: { files: { rules: { [X]: "note" } } } },
      ["/servers/files/rules/mcp~1item-removed"],
    ],
    [
      "without a server",
      { preset: "breaking", servers: { files: { preset: "strict" } } },
      { preset: "breaking" },
      ["/servers/files/preset"],
    ],
    [
      "where a remark no longer counts",
      { rules: { "mcp/era-divergence": "note" } },
      {},
      ["/rules/mcp~1era-divergence"],
    ],
    [
      "with a higher preset that counts less",
      { preset: "compatible", failOn: "error" },
      { preset: "strict", failOn: "error" },
      ["/preset"],
    ],
    ["with a new ignore", {}, { ignores: [IGNORE] }, ["/ignores/0"]],
    ["with a longer ignore", { ignores: [IGNORE] }, { ignores: [{ ...IGNORE, until: "2026-07-01" }] }, ["/ignores/0"]],
    ["with a wider ignore", { ignores: [{ ...IGNORE, tool: "read" }] }, { ignores: [IGNORE] }, ["/ignores/0"]],
    ["with calls that are not denied", calls({ deny: true }), calls({}), ["/servers/files/calls/read/deny"]],
    [
      "with calls that are only asked about",
      calls({ deny: true }),
      calls({ ask: true }),
      ["/servers/files/calls/read/deny"],
    ],
    ["with calls that are not asked about", calls({ ask: true }), {}, ["/servers/files/calls/read/ask"]],
    [
      "with more calls",
      calls({ maxPerMinute: 3 }),
      calls({ maxPerMinute: 4 }),
      ["/servers/files/calls/read/maxPerMinute"],
    ],
    ["with endless calls", calls({ maxPerMinute: 3 }), calls({}), ["/servers/files/calls/read/maxPerMinute"]],
    ["with any arguments", calls({ arguments: paths("/a") }), calls({}), ["/servers/files/calls/read/arguments"]],
    [
      "with another root",
      calls({ arguments: paths("/a") }),
      calls({ arguments: paths("/b") }),
      ["/servers/files/calls/read/arguments"],
    ],
    [
      "with one root more",
      calls({ arguments: paths("/a") }),
      calls({ arguments: paths(["/a", "/b"]) }),
      ["/servers/files/calls/read/arguments"],
    ],
    [
      "without the keyword",
      calls({ arguments: paths("/a") }),
      calls({ arguments: { type: "object" } }),
      ["/servers/files/calls/read/arguments"],
    ],
    [
      "with an alternative that has no keyword",
      calls({
        arguments: {
          properties: {
            path: {
              anyOf: [
                { type: "string", "path-within": "/a" },
                { type: "string", "path-within": "/b" },
              ],
            },
          },
        },
      }),
      calls({
        arguments: {
          properties: {
            path: {
              anyOf: [
                { type: "string", "path-within": "/a" },
                { type: "string", "path-within": "/b" },
                { type: "string" },
              ],
            },
          },
        },
      }),
      ["/servers/files/calls/read/arguments"],
    ],
    [
      "with arguments that are no schema",
      calls({ arguments: paths("/a") }),
      calls({ arguments: { type: 3 } }),
      ["/servers/files/calls/read/arguments"],
    ],
  ])("%s", (_name, before, after, expected) => {
    expect(pointers(before, after)).toEqual(expected);
  });
});

describe("a policy is not weaker", () => {
  test.each<[string, PolicyDocument, PolicyDocument]>([
    ["with a higher preset", { preset: "compatible" }, {}],
    ["with the highest preset", { preset: "breaking" }, { preset: "strict" }],
    ["with the preset in the middle", { preset: "breaking" }, { preset: "compatible" }],
    ["where more counts", {}, { failOn: "note" }],
    ["where its default is written", {}, { failOn: "warning", preset: "strict" }],
    ["with a higher level", {}, { rules: { [X]: "error" } }],
    ["with a higher guard", { rules: { [X]: { guard: "freeze" } } }, { rules: { [X]: { guard: "ask" } } }],
    ["without an ignore", { ignores: [IGNORE] }, {}],
    ["with an ignore for another reason", { ignores: [IGNORE] }, { ignores: [{ ...IGNORE, reason: "agreed again" }] }],
    ["with a narrower ignore", { ignores: [IGNORE] }, { ignores: [{ ...IGNORE, path: "/a", until: "2026-01-01" }] }],
    ["where calls are denied", calls({ ask: true, arguments: paths("/a") }), calls({ deny: true })],
    ["with fewer calls", calls({ maxPerMinute: 3 }), calls({ maxPerMinute: 2 })],
    ["with a root inside", calls({ arguments: paths(["/a", "/b"]) }), calls({ arguments: paths("/a/c") })],
    [
      "with another keyword, too",
      calls({ arguments: paths("/a") }),
      calls({ arguments: paths("/a", { maxLength: 9 }) }),
    ],
    ["with arguments where there were none", calls({}), calls({ arguments: paths("/a") })],
    [
      "with the same schema, even where it is none",
      calls({ arguments: { type: 3 } }),
      calls({ arguments: { type: 3 } }),
    ],
  ])("%s", (_name, before, after) => {
    expect(weaker(before, after)).toEqual([]);
  });
});

test("each preset is at least as strict as the next one for a guard", () => {
  const rules = PRESET_NAMES.flatMap((preset) => Object.keys(PRESETS[preset].rules));
  for (const rule of rules) {
    const ranks = PRESET_NAMES.map((preset) => {
      const finding = { rule, level: "error", place: { subject: "x" } } as const;
      return GUARD_DECISIONS.indexOf(decide(finding, parse({ preset })).guard);
    });
    expect({ rule, ranks }).toEqual({ rule, ranks: ranks.toSorted((a, b) => b - a) });
  }
});

test("a weakening says what it lets through, and becomes a finding", () => {
  const found = weaker({}, { preset: "compatible", failOn: "warning" });
  const what =
    "a check decides less strictly about mcp/hint-default-written, mcp/item-added, mcp/schema-compatible and 2 more rules; " +
    "a guard decides less strictly about mcp/anything-added, mcp/free-text-added, mcp/hint-default-written and 5 more rules";
  expect(found).toEqual([{ pointer: "/preset", what, before: "strict", after: "compatible" }]);
  expect(policyFindings("agentprint.config.json", found)).toEqual([
    {
      rule: "policy/weakened",
      level: "error",
      place: { subject: "agentprint.config.json", pointer: "/preset" },
      before: "strict",
      after: "compatible",
      message: `the policy is weaker: ${what}`,
    },
  ]);
  expect(weaker({ failOn: "note" }, { failOn: "error" })).toEqual([
    { pointer: "/failOn", what: "findings count from error instead of note", before: "note", after: "error" },
  ]);
});

describe("for any two policies", () => {
  const TODAY = "2026-06-15";

  test("no weakening means that no finding and no call gets a lower decision", () => {
    let lower = 0;
    fc.assert(
      fc.property(policies, policies, (first, second) => {
        const [before, after] = [parse(first), parse(second)];
        if (weakenings(before, after).length > 0) {
          lower += 1;
          return;
        }
        for (const finding of FINDINGS) {
          const [was, is] = [before, after].map((policy) => {
            const { findings, outcome } = applyPolicy([finding], policy, { today: TODAY });
            const { check, guard } = decide(finding, policy);
            return {
              left: findings.length,
              outcome,
              check: CHECK_DECISIONS.indexOf(check),
              guard: GUARD_DECISIONS.indexOf(guard),
            };
          }) as [Shown, Shown];
          const context = JSON.stringify({ first, second, finding });
          expect(is.left, context).toBeGreaterThanOrEqual(was.left);
          if (was.outcome !== "same") expect(is.outcome, context).toBe(was.outcome);
          expect(is.guard, context).toBeGreaterThanOrEqual(was.guard);
        }
        for (const call of CALLS) {
          const ranks = [before, after].map((policy) =>
            ["pass", "ask", "deny"].indexOf(decideCall(policy, call).decision),
          );
          expect(ranks[1], JSON.stringify({ first, second, call })).toBeGreaterThanOrEqual(ranks[0] as number);
        }
      }),
      { numRuns: runs(200) },
    );
    expect(lower).toBeGreaterThan(runs(10));
  });

  interface Shown {
    readonly left: number;
    readonly outcome: string;
    readonly check: number;
    readonly guard: number;
  }

  test("under one preset a lower level is a weakening", () => {
    fc.assert(
      fc.property(policies, policies, fc.constantFrom(...PRESET_NAMES), (first, second, preset) => {
        const [before, after] = [first, second].map((document) => parse({ ...document, preset, servers: {} }));
        if (before === undefined || after === undefined || weakenings(before, after).length > 0) return;
        for (const finding of FINDINGS) {
          const [was, is] = [before, after].map((policy) => CHECK_DECISIONS.indexOf(decide(finding, policy).check));
          expect(is).toBeGreaterThanOrEqual(was as number);
        }
      }),
    );
  });

  test("no policy is weaker than itself", () => {
    fc.assert(fc.property(policies, (document) => weaker(document, document).length === 0));
  });
});

test("levels have the same order in both lists", () => {
  expect(CHECK_DECISIONS.slice(1)).toEqual(LEVELS);
});
