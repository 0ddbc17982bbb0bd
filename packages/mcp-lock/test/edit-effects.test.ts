import type { JsonObject } from "@agentprint/canonical-json";
import { answersOf } from "@agentprint/testing/lock/offer";
import { describe, expect, test } from "vitest";
import { checkLock, createLock, driftFindings } from "../src/index.ts";

const DRAFTS = ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"] as const;
const units = (...words: readonly string[]): JsonObject => ({ type: "string", enum: [...words] });
const choice = (...words: readonly string[]): JsonObject => ({
  anyOf: words.map((word) => ({ type: "string", const: word })),
});
const input = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...more,
});

/** Returns the findings about a change to an input, by place. */
function found(before: JsonObject, after: JsonObject): Record<string, string[]> {
  const answers = (inputSchema: JsonObject) => ({ shop: answersOf([{ name: "find", inputSchema }]) });
  const rows: Record<string, string[]> = {};
  for (const { rule, place, message, isRemark } of driftFindings(
    checkLock(createLock(answers(before)), answers(after)),
  )) {
    if (isRemark) continue;
    const at = (place.pointer ?? "").replace("/inputSchema/", "").replace("properties/", "");
    rows[at] = [...(rows[at] ?? []), `${rule.slice("mcp/".length)}: ${message}`];
  }
  return rows;
}

const SAME = "schema-compatible: contract changed, callers can continue";
const WIDER = "input-widened: input accepts more than before";
const UNPROVEN = "contract-unproven: contract changed in what a call does";

describe("an input that takes more than before says so", () => {
  test("where it does, and not where only its notation changed", () => {
    const before = input({ units: units("metric", "imperial"), count: { type: "integer" } }, { $schema: DRAFTS[0] });
    const after = input({ units: choice("metric", "imperial"), count: { type: "number" } }, { $schema: DRAFTS[1] });
    expect(found(before, after)).toEqual({ $schema: [SAME], units: [SAME], "count/type": [WIDER] });
  });

  test("where it does, in addition to what breaks", () => {
    const before = input({ units: units("metric", "imperial"), count: { type: "integer" }, mode: { type: "string" } });
    const after = input({ units: choice("metric", "imperial"), count: { type: "number" }, mode: { type: "boolean" } });
    expect(found(before, after)).toEqual({
      units: ["schema-compatible: also changed, callers can continue"],
      "count/type": ["input-widened: also changed, input accepts more than before"],
      "mode/type": ["tool-contract-changed: contract changed, callers break"],
    });
  });

  test("at each edit that is needed for it, where none does so alone", () => {
    const before = input({ a: { type: "integer", minimum: 1, exclusiveMinimum: 0.5 }, b: { type: "integer" } });
    const after = input({ a: { type: "integer" }, b: { type: "integer" } });
    expect(found(before, after)).toEqual({ "a/minimum": [WIDER], "a/exclusiveMinimum": [WIDER] });
  });

  test("at edits that together accept more, next to one that does so alone", () => {
    const before = input({ a: { type: "integer", minimum: 1, exclusiveMinimum: 0.5 }, b: { type: "integer" } });
    const after = input({ a: { type: "integer" }, b: { type: "number" } });
    expect(found(before, after)).toEqual({
      "a/minimum": [WIDER],
      "a/exclusiveMinimum": [WIDER],
      "b/type": [WIDER],
    });
  });

  test("with a parameter that a definition describes", () => {
    const before = input({ a: { type: "string" } });
    const after = input({ a: { type: "string" }, b: { $ref: "#/$defs/Mode" } }, { $defs: { Mode: units("x") } });
    expect(found(before, after)).toEqual({ $defs: [SAME], b: [WIDER] });
  });

  test("everywhere, where there are more edits than are judged", () => {
    const many = (type: string) => Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`p${at}`, { type }]));
    const [before, after] = [
      input({ ...many("integer"), units: units("a") }),
      input({ ...many("number"), units: choice("a") }),
    ];
    expect(found(before, after)["units"]).toEqual([SAME]);
    const more = Object.fromEntries(Object.entries(many("integer")).map(([name, schema]) => [`${name}x`, schema]));
    const wider = Object.fromEntries(Object.entries(many("number")).map(([name, schema]) => [`${name}x`, schema]));
    const [from, to] = [before, after].map((each, at) => ({
      ...each,
      properties: { ...(each["properties"] as JsonObject), ...(at === 0 ? more : wider) },
    }));
    expect(found(from as JsonObject, to as JsonObject)["units"]).toEqual([WIDER]);
  });
});

describe("a default that changed is said", () => {
  test("where the default changed, and not at other changes", () => {
    const before = input({ days: { type: "integer", default: 3 }, units: units("a", "b"), count: { type: "integer" } });
    const after = input({ days: { type: "integer", default: 5 }, units: choice("a", "b"), count: { type: "number" } });
    expect(found(before, after)).toEqual({ "days/default": [UNPROVEN], units: [SAME], "count/type": [WIDER] });
  });

  test("where a reference leads to another one", () => {
    const $defs = { A: { type: "integer", default: 1 }, B: { type: "integer", default: 2 } };
    const before = input({ days: { $ref: "#/$defs/A" }, count: { type: "integer" } }, { $defs });
    const after = input({ days: { $ref: "#/$defs/B" }, count: { type: "number" } }, { $defs });
    expect(found(before, after)).toEqual({ "days/$ref": [UNPROVEN], "count/type": [WIDER] });
  });
});

test("each new value in a list of values is reported", () => {
  const [before, after] = [
    ["basic", "old"],
    ["basic", "fast", "ultra-fast"],
  ].map((words) => input({ depth: units(...words) }));
  expect(found(before as JsonObject, after as JsonObject)).toEqual({
    "depth/enum/1": [
      "values-widened: input accepts more values than before",
      "tool-contract-changed: contract changed, callers break",
    ],
    "depth/enum/2": ["values-widened: input accepts more values than before"],
  });
});

test("what lets more through stays said of an edit that changes nothing alone", () => {
  const before = input({ a: { type: "string", enum: ["x"] }, b: { type: "integer" } });
  const after = input({ a: { anyOf: [{ enum: ["x"] }, { type: "string" }] }, b: { type: "number" } });
  expect(found(before, after)["a"]).toEqual(["values-widened: input accepts more values than before"]);
});
