import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareSchemas, type SchemaComparison } from "../src/index.ts";
import { samplesOf } from "./support/samples.ts";
import { pair, pairSometimesNarrowed, type Schema } from "./support/schemas.ts";
import { disputesOf, judgeOf } from "./support/validators.ts";

const numRuns = Number(process.env["SCHEMA_DIFF_RUNS"] ?? 150);

function compare(before: unknown, after: unknown): SchemaComparison {
  return compareSchemas(before, after, { direction: "input", values: "objects" });
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns all strings in a schema, names as well as values. */
function textsOf(schema: unknown): string[] {
  if (typeof schema === "string") return [schema];
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => [key, ...textsOf(value)]);
}

function namesOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap(namesOf);
  return Array.isArray(value) ? inside : [...Object.keys(value), ...inside];
}

describe("when only objects can be sent", () => {
  test("a counterexample is an object that one schema accepts and the other rejects", () => {
    const verdicts = { compatible: 0, breaking: 0, unknown: 0 };
    fc.assert(
      fc.property(pairSometimesNarrowed, fc.nat(), ([before, after], seed) => {
        const { verdict, counterexample } = compare(before, after);
        verdicts[verdict]++;
        const [accepts, accepted] = [judgeOf(before), judgeOf(after)];
        if (verdict === "breaking") {
          const value = counterexample?.value;
          const disputes = [...disputesOf(before, value, true), ...disputesOf(after, value, false)];
          expect([value, isObject(value), disputes]).toEqual([value, true, []]);
        }
        for (const value of verdict === "compatible" ? samplesOf([before, after], seed, 150).filter(isObject) : []) {
          const isLost = accepts(value) === true && accepted(value) === false;
          expect({ before, after, value, isLost }).toMatchObject({ isLost: false });
        }
      }),
      { numRuns },
    );
    expect(Math.min(verdicts.compatible, verdicts.breaking)).toBeGreaterThan(numRuns * 0.05);
  });

  test("a break for objects is a break for all values, and a break that an object shows is one for objects", () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const [any, objects] = [compareSchemas(before, after, { direction: "input" }), compare(before, after)];
        if (objects.verdict === "breaking") expect(any.verdict).not.toBe("compatible");
        if (any.verdict === "compatible") expect(objects.verdict).not.toBe("breaking");
        if (isObject(any.counterexample?.value)) expect(objects.verdict).not.toBe("compatible");
      }),
      { numRuns },
    );
  });

  test.each([
    ["a type for the arguments", {}, { type: "object" }],
    [
      "and a member with it",
      { properties: { a: { type: "string" } } },
      { type: "object", properties: { a: { type: "string" } } },
    ],
    ["a list of types", { type: ["object", "null", "string"] }, { type: "object" }],
    ["another type for values that are not objects", { type: ["object", "string"] }, { type: ["object", "integer"] }],
    ["a length", {}, { minLength: 3, minimum: 5, minItems: 2 }],
    ["no object before", { type: "string" }, { type: "integer" }],
  ])("%s breaks no call", (_, before, after) => {
    expect(compareSchemas(before, after, { direction: "input" }).verdict).toBe("breaking");
    expect(compare(before, after)).toMatchObject({ verdict: "compatible" });
    const output = compareSchemas(after, before, { direction: "output", values: "objects" });
    expect(output.verdict).toBe("compatible");
  });
});

describe("names and values are as ordinary as the schemas allow", () => {
  test("a name is mentioned in the schemas or is extra; the empty name is used only where no other shows the break", () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const value = compare(before, after).counterexample?.value;
        const known = new Set(textsOf([before, after]));
        const hasPatterns = /attern|Length|format/.test(JSON.stringify([before, after]));
        for (const name of hasPatterns ? [] : namesOf(value))
          expect(known.has(name) || /^extra\d*$/.test(name)).toBe(true);
        if (value === undefined || !Object.hasOwn(value as object, "") || typeof before !== "object") return;
        if ("propertyNames" in before) return;
        expect(compare({ ...before, propertyNames: { minLength: 1 } }, after).verdict).not.toBe("breaking");
      }),
      { numRuns },
    );
  });

  const O = { type: "object" };
  const S = { type: "string" };

  test.each<[string, Schema, Schema, unknown]>([
    ["a closed object", O, { ...O, additionalProperties: false }, { extra: "a" }],
    [
      "two more members than are named",
      { ...O, properties: { extra: S } },
      { ...O, properties: { extra: S }, maxProperties: 2 },
      { extra: "a", extra2: "a", extra3: "a" },
    ],
    [
      "a member that is named, before any other",
      { ...O, properties: { path: {} } },
      { ...O, additionalProperties: S, properties: { path: S } },
      { path: 0 },
    ],
    [
      "a name for which a pattern stands",
      { ...O, patternProperties: { "^x-": {} }, additionalProperties: false },
      { ...O, additionalProperties: false },
      { "x-": "a" },
    ],
    ["a pattern that an ordinary name matches", O, { ...O, patternProperties: { "^[a-z]+$": false } }, { extra: "a" }],
    [
      "an empty name next to others",
      { ...O, properties: { "": S, b: S } },
      { ...O, properties: { "": {}, b: {} }, additionalProperties: false, maxProperties: 0 },
      { b: "a" },
    ],
    [
      "an empty name next to any other",
      { ...O, properties: { "": {} } },
      { ...O, additionalProperties: S, properties: { "": S } },
      { extra: 0 },
    ],
    ["the empty name alone", O, { ...O, properties: { "": false } }, { "": "a" }],
    [
      "names of which only the empty one is allowed",
      { ...O, propertyNames: { maxLength: 0 } },
      { ...O, maxProperties: 0 },
      { "": "a" },
    ],
    [
      "a text",
      { ...O, properties: { path: S }, required: ["path"] },
      { ...O, required: ["path", "mode"] },
      { path: "a" },
    ],
    [
      "a text that must be empty to break",
      { ...O, properties: { path: S }, required: ["path"] },
      { ...O, properties: { path: { ...S, minLength: 1 } } },
      { path: "" },
    ],
    [
      "one of the listed texts",
      { ...O, properties: { mode: { enum: ["", "read"] } } },
      { ...O, maxProperties: 0 },
      { mode: "" },
    ],
  ])("%s", (_, before, after, value) => {
    expect(compare(before, after).counterexample?.value).toEqual(value);
  });
});
