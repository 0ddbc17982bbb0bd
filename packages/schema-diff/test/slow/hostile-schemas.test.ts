import { describe, expect, test } from "vitest";
import { compareSchemas } from "../../src/index.ts";
import { compareInput as compare } from "../support/compare.ts";
import { nested } from "../support/nested.ts";

/** Returns definitions that each use the next one twice, for 2^levels applications. */
function doubling(levels: number, use: (next: object) => unknown, leaf: unknown): object {
  const $defs: Record<string, unknown> = { [`d${levels}`]: leaf };
  for (let i = 0; i < levels; i++) $defs[`d${i}`] = use({ $ref: `#/$defs/d${i + 1}` });
  return { $ref: "#/$defs/d0", $defs };
}

describe("schemas that were made to take forever get a verdict after a counted number of steps", () => {
  const object = (type: string) => ({ type: "object", properties: { a: { type } }, required: ["a"] });
  const both = (next: object) => ({ type: "object", required: ["x", "y"], properties: { x: next, y: next } });
  const clauses = (count: number) => ({
    type: "object",
    allOf: Array.from({ length: count }, (_, i) => ({
      anyOf: [{ required: [`a${i}`] }, { required: [`b${i}`] }, { required: [`c${(i * 7) % count}`] }],
    })),
  });

  test.each([
    ["doubled allOf", (t: string) => doubling(60, (next) => ({ allOf: [next, next] }), object(t)), "unconfirmed"],
    [
      "doubled anchors",
      (t: string) => {
        const refer = (i: number) => ({ $ref: `#d${i}` });
        const $defs = Array.from({ length: 60 }, (_, i) => ({
          $dynamicAnchor: `d${i}`,
          allOf: i === 59 ? [object(t)] : [refer(i + 1), refer(i + 1)],
        }));
        return { ...refer(0), $defs: { ...$defs } };
      },
      "unconfirmed",
    ],
    ["doubled anyOf", (t: string) => doubling(60, (next) => ({ anyOf: [next, next] }), object(t)), "budget"],
    ["doubled oneOf", (t: string) => doubling(60, (next) => ({ oneOf: [next, next] }), object(t)), "budget"],
    ["doubled members", (t: string) => doubling(40, both, { type: t }), "budget"],
    [
      "a long chain of members",
      (t: string) => doubling(400, (next) => ({ properties: { a: next } }), { type: t }),
      "not-proven",
    ],
    [
      "patterns for every name",
      (t: string) => ({
        patternProperties: Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`^p${i}`, { type: t }])),
      }),
      "not-proven",
    ],
    [
      "a long tuple",
      (t: string) => ({ type: "array", prefixItems: Array.from({ length: 500 }, () => ({ type: t })) }),
      "not-proven",
    ],
  ])("%s", (_, schemaOf, code) => {
    const { verdict, notes } = compare(schemaOf("string"), schemaOf("integer"));
    expect(verdict).toBe("unknown");
    expect(notes).toEqual([{ code, path: "", message: expect.any(String) }]);
  });

  test("a ring of schemas, each the schema of a thousand of its own members", () => {
    const ring = (members: number, more: object) => {
      const refer = (target: number) => ({ $ref: `#/$defs/${target % 10}` });
      const $defs = Array.from({ length: 10 }, (_, i) => {
        const names = Array.from({ length: members }, (__, j) => [`p${j}`, refer(i)]);
        const properties = { next: refer(i + 1), ...Object.fromEntries(names) };
        return { type: "object", properties, ...(i === 9 && { required: ["next"] }) };
      });
      return { ...refer(0), $defs: { ...$defs }, ...more };
    };
    expect(compare(ring(1000, {}), ring(1000, { description: "A ring." })).verdict).toBe("compatible");
    expect(compare(ring(200, {}), ring(200, { minProperties: 1 })).changes).toHaveLength(1);
    expect(compare(ring(500, {}), ring(501, {})).changes.length).toBeGreaterThan(0);
  });

  test("a ring of schemas with hundreds of alternatives of which one holds", () => {
    const ring = (more: object) => {
      const $defs = Array.from({ length: 3 }, (_, i) => {
        const alternative = (name: string, target: number) => ({
          properties: { [name]: { $ref: `#/$defs/${target % 3}` } },
          required: [name],
        });
        return { type: "object", oneOf: Array.from({ length: 300 }, (__, j) => alternative(`p${j}`, i + j)), ...more };
      });
      return { $ref: "#/$defs/0", $defs: { ...$defs } };
    };
    expect(compare(ring({}), ring({ minProperties: 2 })).verdict).toBe("unknown");
  });

  test("a satisfiability problem", () => {
    const { verdict } = compareSchemas(clauses(30), { ...clauses(30), minProperties: 31 }, { direction: "output" });
    expect(verdict).toBe("unknown");
  });

  test("an automaton with 2^20 states", () => {
    const [before, after] = ["(a|b)*a(a|b){20}$", "(a|b)*b(a|b){20}$"].map((pattern) => ({ type: "string", pattern }));
    expect(compare(before, after).verdict).toBe("unknown");
  });

  test("schemas 120 levels deep are compared like shallow ones", () => {
    const deep = (type: string) => nested(120, (inner) => ({ properties: { a: inner } }), { type });
    const { verdict, changes } = compare(deep("string"), deep("integer"));
    expect(verdict).toBe("breaking");
    expect(changes).toHaveLength(1);
  });

  test("a hundred alternatives, one added", () => {
    const anyOf = Array.from({ length: 100 }, (_, i) => ({
      type: "object",
      properties: { kind: { const: i } },
      required: ["kind"],
    }));
    expect(compare({ anyOf: anyOf.slice(1) }, { anyOf }).verdict).toBe("compatible");
    expect(compare({ anyOf }, { anyOf: anyOf.slice(1) }).counterexample?.value).toEqual({ kind: 0 });
  });
});
