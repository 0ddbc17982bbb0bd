import type { JsonValue } from "@agentprint/canonical-json";
import { manifestOf, toolOf } from "@agentprint/testing/manifest/manifests";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPendingToolCalls, ManifestError, type ManifestTool } from "../../src/index.ts";

type Arguments = { readonly [name: string]: JsonValue };

/** Returns "sent", or the code and the place of the refusal. */
function send(input_schema: object, values: Arguments): string {
  const manifest = manifestOf({
    tools: [toolOf("run", { input_schema: input_schema as ManifestTool["input_schema"] })],
  });
  const calls = createPendingToolCalls({ schedule: () => () => {}, manifest });
  try {
    void calls.call({ subtype: "tool_call", call_id: "1", tool_name: "run", arguments: values });
    return "sent";
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    return `${error.code} ${error.path}`;
  }
}

const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const members = <T>(count: number, make: (i: number) => T): { [name: string]: T } =>
  Object.fromEntries(many(count, (i) => [`p${i}`, make(i)]));
const about = (x: object) => ({ type: "object", properties: { x }, required: ["x"] });

describe("64 KB of arguments against a schema that takes too long for them are left to the tool", () => {
  test.each<[string, object, Arguments]>([
    [
      "objects against objects",
      about({ contains: { enum: many(10_000, (b) => ({ b })) } }),
      { x: many(5500, (a) => ({ a })) },
    ],
    ["every object with every other", about({ uniqueItems: true }), { x: [...many(5500, (a) => ({ a })), { a: 0 }] }],
    [
      "every element against alternatives",
      about({ items: { anyOf: many(3000, (i) => ({ required: [`b${i}`] })) } }),
      {
        x: many(4000, (b2999) => ({ b2999 })),
      },
    ],
    [
      "every name against patterns",
      {
        type: "object",
        patternProperties: Object.fromEntries(many(1500, (i) => [`^p1.*${i}`, { type: "string" }])),
      },
      members(4500, () => ""),
    ],
    [
      "a text against a thousand lengths",
      about({ anyOf: many(3000, (i) => ({ minLength: 100_000 + i })) }),
      {
        x: "x".repeat(60_000),
      },
    ],
  ])("%s", (_, schema, values) => {
    expect(send(schema, values)).toBe("sent");
  });
});

test("one element or name that is wrong is found among many that are not compared", () => {
  const alternatives = about({ items: { anyOf: many(3000, (i) => ({ required: [`b${i}`] })) } });
  expect(send(alternatives, { x: many(5500, (a) => ({ a })) })).toBe("INVALID_ARGUMENTS /arguments/x");
  const patterns = Object.fromEntries(many(1500, (i) => [`^p1.*${i}`, { type: "string" }]));
  expect(send({ type: "object", patternProperties: patterns }, members(4500, Number))).toContain("INVALID_ARGUMENTS");
});

test("the arguments of a call share the steps: where they do not suffice to find the wrong one, all are refused", () => {
  const wrong = (values: Arguments) => ({ ...values, p399: 3 });
  const schema = { type: "object", properties: members(400, () => ({ enum: [1, 2] })) };
  const values = wrong(members(400, () => 1));
  expect(send(schema, values)).toBe("INVALID_ARGUMENTS /arguments/p399");
  const $defs = { unused: { enum: many(20_000, (i) => `value ${i}`) } };
  expect(send({ ...schema, $defs }, values)).toBe("INVALID_ARGUMENTS /arguments");
});

test("what real schemas compare is refused as before", () => {
  const list = about({ type: "array", items: { type: "string" }, uniqueItems: true });
  expect(send(list, { x: [...many(500, (i) => `s${i}`), "s1"] })).toBe("INVALID_ARGUMENTS /arguments/x");
  const chosen = about({ contains: { enum: many(200, (b) => ({ b })) } });
  expect(send(chosen, { x: many(200, (a) => ({ a })) })).toBe("INVALID_ARGUMENTS /arguments/x");
  expect(send(chosen, { x: [...many(200, (a) => ({ a })), { b: 7 }] })).toBe("sent");
});

const keyword = fc.tuple(fc.nat(9), fc.integer({ min: 1, max: 150 })).map(([kind, n]) => {
  const schemas: readonly object[] = [
    { contains: { enum: many(n, (a) => ({ a })) }, minContains: n },
    { uniqueItems: true },
    { items: { enum: many(n, (a) => ({ a })) } },
    { const: many(n, (a) => ({ a })) },
    { items: { oneOf: many(n, (i) => ({ required: [`b${i}`] })) } },
    { additionalProperties: { anyOf: many(n, (i) => ({ const: i })) } },
    { propertyNames: { enum: many(n, (i) => `p${i}`) } },
    { patternProperties: Object.fromEntries(many(n, (i) => [`^p.*${i}$`, { type: "string" }])) },
    { pattern: `^(a|b|ab){${n}}$` },
    { unevaluatedProperties: false, anyOf: many(n, (i) => ({ properties: { [`p${i}`]: true } })) },
  ];
  return schemas[kind] as object;
});
const value = fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 1500 })).map(([kind, n]): JsonValue => {
  const values: readonly JsonValue[] = [many(n, (a) => ({ a })), many(n, Number), members(n, (i) => i), "ab".repeat(n)];
  return values[kind] as JsonValue;
});

test("any large arguments against any hard schema are sent or refused", () => {
  const answers = new Set<string>();
  fc.assert(
    fc.property(fc.array(keyword, { minLength: 1, maxLength: 3 }), value, (allOf, x) => {
      answers.add(send(about({ allOf }), { x }));
    }),
    { numRuns: 25, seed: 15 },
  );
  // If there are too few steps to find the wrong argument, the refusal is about all arguments.
  answers.delete("INVALID_ARGUMENTS /arguments");
  expect([...answers].sort()).toEqual(["INVALID_ARGUMENTS /arguments/x", "sent"]);
});
