import type { JsonObject } from "@agentprint/canonical-json";
import { answersOf } from "@agentprint/testing/lock/offer";
import { describe, expect, test } from "vitest";
import {
  checkLock,
  createLock,
  driftFindings,
  leavesCallsValid,
  offeredByAnswers,
  offeredFindings,
} from "../src/index.ts";

const [MIN, MAX] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

const tool = (name: string, properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  name,
  inputSchema: { type: "object", properties, additionalProperties: false, ...more },
});

const free: JsonObject = { type: "integer" };
const bounded: JsonObject = { type: "integer", minimum: MIN, maximum: MAX };
const answers = (tools: readonly JsonObject[]) => answersOf(tools.map((each) => structuredClone(each)));

function findings(before: readonly JsonObject[], after: readonly JsonObject[]) {
  const drift = checkLock(createLock({ shop: answers(before) }), { shop: answers(after) });
  return driftFindings(drift).filter(({ isRemark }) => !isRemark);
}

/** Returns the rules and subjects of the findings, and the places inside the subjects. */
function rows(before: readonly JsonObject[], after: readonly JsonObject[]): string[] {
  return findings(before, after).map(({ rule, place: { subject, pointer = "" } }) =>
    `${rule} ${subject} ${pointer}`.trim(),
  );
}

const BOUNDS = "mcp/tool-contract-changed shop";

describe("the bounds that zod 4 writes for integers", () => {
  test("are one finding for the server, with a call that breaks and the tools", () => {
    const of = (integer: JsonObject) => [
      tool("buy", { count: integer, sizes: { type: "array", items: integer } }),
      tool("sell", { size: { anyOf: [integer, { type: "null" }] } }),
    ];
    expect(findings(of(free), of(bounded))).toEqual([
      {
        rule: "mcp/tool-contract-changed",
        level: "error",
        message: "integers have the bounds that zod 4 writes, ±(2^53 − 1): 6 bounds in 2 tools",
        place: { subject: "shop", server: "shop" },
        after: ["buy", "sell"],
        note: 'Breaking: arguments {"count":9007199254740992} were valid and are now rejected. In buy, sell',
        section: "What breaks, or may break",
      },
    ]);
  });

  test("stand below what else breaks, or may break", () => {
    const before = [
      tool("buy", { count: free, to: { type: "string" } }),
      tool("gone", { x: free }),
      tool("sell", { size: free }),
    ];
    const after = [
      tool("buy", { count: bounded, to: { type: "number" } }),
      tool("sell", { size: bounded, at: { type: "boolean" } }, { required: ["at"] }),
    ];
    expect(rows(before, after)).toEqual([
      "mcp/input-widened shop › sell /inputSchema/properties/at",
      "mcp/tool-contract-changed shop › buy /inputSchema/properties/to/type",
      "mcp/tool-contract-changed shop › sell /inputSchema/required",
      "mcp/item-removed shop › gone",
      BOUNDS,
    ]);
  });

  test("are reported for nullable integers, and for a single bound", () => {
    const of = (integer: JsonObject) => [tool("buy", { count: integer })];
    expect(rows(of({ type: ["integer", "null"] }), of({ ...bounded, type: ["integer", "null"] }))).toEqual([BOUNDS]);
    expect(rows(of({ ...free, minimum: 0 }), of({ ...free, minimum: 0, maximum: MAX }))).toEqual([BOUNDS]);
  });

  test("are reported without a call if it is undecided whether calls break", () => {
    const of = (integer: JsonObject, text: JsonObject) => [
      tool("buy", { count: integer, to: text }, { not: { $ref: "https://a.example/x" } }),
    ];
    const found = findings(of(free, {}), of(bounded, { format: "email" }));
    expect(found.at(-1)).toMatchObject({ rule: "mcp/contract-unproven", place: { subject: "shop" }, note: "In buy" });
  });

  test("name at most eight tools", () => {
    const of = (integer: JsonObject) =>
      Array.from({ length: 10 }, (_, index) => tool(`tool${index}`, { count: integer }));
    expect(findings(of(free), of(bounded))[0]?.note).toMatch(/In tool0, .*tool7, and 2 more$/);
  });

  test("are findings of each tool for a guard, which decides tool by tool", () => {
    const offered = (integer: JsonObject) => {
      const [session] = answers([tool("buy", { count: integer })]).sessions;
      return offeredByAnswers(session as NonNullable<typeof session>, []);
    };
    const found = offeredFindings("shop", offered(free), offered(bounded), []);
    expect(found.map(({ rule, place }) => [rule, place.tool])).toEqual([
      ["mcp/tool-contract-changed", "buy"],
      ["mcp/tool-contract-changed", "buy"],
    ]);
  });
});

describe("another change of numbers stays a finding of its tool", () => {
  const one = "mcp/tool-contract-changed shop › buy /inputSchema/properties/count";
  test.each<[what: string, before: JsonObject, after: JsonObject, rows: string[]]>([
    ["other bounds", free, { ...free, minimum: MIN + 1, maximum: MAX - 1 }, [`${one}/maximum`, `${one}/minimum`]],
    [
      "the bounds of a number",
      { type: "number" },
      { ...bounded, type: "number" },
      [`${one}/maximum`, `${one}/minimum`],
    ],
    ["a bound in the place of another", { ...free, maximum: MAX + 1 }, { ...free, maximum: MAX }, [`${one}/maximum`]],
    ["the bounds under the other names", free, { ...free, minimum: MAX }, [`${one}/minimum`]],
    ["the bounds of a type that changed", { type: "number" }, bounded, [`${one}/type`, BOUNDS]],
  ])("%s", (_what, before, after, expected) => {
    expect(rows([tool("buy", { count: before })], [tool("buy", { count: after })])).toEqual(expected);
  });

  test("bounds in data", () => {
    const of = (value: JsonObject) => [tool("buy", { count: { type: "object", default: value } })];
    expect(rows(of(free), of(bounded))).toEqual([
      "mcp/contract-unproven shop › buy /inputSchema/properties/count/default/maximum",
      "mcp/contract-unproven shop › buy /inputSchema/properties/count/default/minimum",
    ]);
  });

  test("bounds of a result, which breaks no caller", () => {
    const of = (integer: JsonObject) => [
      { ...tool("buy", {}), outputSchema: { type: "object", properties: { sum: integer } } },
    ];
    expect(rows(of(free), of(bounded))).toEqual([
      "mcp/schema-compatible shop › buy /outputSchema/properties/sum/maximum",
      "mcp/schema-compatible shop › buy /outputSchema/properties/sum/minimum",
    ]);
  });
});

test("calls stay valid where that is proven, and no other finding says so", () => {
  const mail = (schema: JsonObject) => [tool("send", { to: schema })];
  const kept = (after: JsonObject) =>
    findings(mail({ type: "string", default: "a" }), mail(after)).map(leavesCallsValid);
  expect(kept({ type: ["string"], default: "a" })).toEqual([true]);
  expect(kept({ type: "string", default: "b" })).toEqual([true]);
  expect(kept({ type: "number", default: "a" })).toEqual([false]);
  expect(kept({ type: "string", default: "a", format: "email" })).toEqual([false]);
  const era = { rule: "mcp/era-changed", message: "speaks" } as const;
  expect([era, { ...era, before: ["2025-11-25"] }].map(leavesCallsValid)).toEqual([true, false]);
});
