import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CompareSchemasOptions,
  compareSchemas,
  createSchemaComparer,
  type SchemaStep,
  StepBudget,
} from "../src/index.ts";
import { pair, pairSometimesNarrowed } from "./support/schemas.ts";

const S = { type: "string" };
const wantOf = fc.constantFrom("verdict" as const, "proof" as const);
const optionsOf = fc.record({
  direction: fc.constantFrom("input" as const, "output" as const),
  values: fc.constantFrom("any" as const, "objects" as const),
});

describe("the caller's options change the returned parts, and no verdict", () => {
  test("for random pairs", () => {
    fc.assert(
      fc.property(pairSometimesNarrowed, optionsOf, ([before, after], options) => {
        const all = compareSchemas(before, after, options);
        const verdict = compareSchemas(before, after, { ...options, want: "verdict" });
        expect(verdict).toEqual({ ...all, changes: [] });
        const proof = compareSchemas(before, after, { ...options, want: "proof" });
        const isProven = all.verdict === "compatible";
        expect([proof.verdict, proof.changes]).toEqual([isProven ? "compatible" : "unknown", []]);
        expect(proof.notes).toEqual(isProven ? all.notes : expect.arrayContaining([expect.anything()]));
        expect(proof).not.toHaveProperty("counterexample");
      }),
      { numRuns: runs(75) },
    );
  });

  test("and takes fewer steps", () => {
    const stepsOf = (want: Pick<CompareSchemasOptions, "want">): number => {
      const budget = new StepBudget(1e6);
      compareSchemas(
        { properties: { a: S } },
        { properties: { a: { ...S, minLength: 2 } } },
        { direction: "input", budget, ...want },
      );
      return 1e6 - budget.left;
    };
    const [proof, verdict, all] = [stepsOf({ want: "proof" }), stepsOf({ want: "verdict" }), stepsOf({})];
    expect(proof).toBeLessThan(verdict);
    expect(verdict).toBeLessThan(all);
  });

  test("a break that is found but not confirmed is no proof of anything", () => {
    const { notes } = compareSchemas({}, S, { direction: "input", want: "proof" });
    expect(notes.map(({ code }) => code)).toEqual(["unconfirmed"]);
  });

  test.each(["all", "", null, 1, {}])("anything else is refused: %j", (want) => {
    const options = { direction: "input", want } as unknown as CompareSchemasOptions;
    expect(() => compareSchemas(S, S, options)).toThrow(
      expect.objectContaining({
        code: "invalid-argument",
        message: expect.stringContaining('want "verdict", "proof"'),
      }),
    );
  });
});

/** Returns a comparison in the form in which a comparer returns it. */
function stepOf(before: unknown, after: unknown, options: CompareSchemasOptions): SchemaStep {
  const { verdict, counterexample } = compareSchemas(before, after, options);
  return { verdict, ...(counterexample && { counterexample }) };
}

describe("a schema that is compared with many", () => {
  test("is judged each time as if it were compared alone", () => {
    fc.assert(
      fc.property(pair, pair, optionsOf, wantOf, ([before, first], [second, third], options, want) => {
        const compare = createSchemaComparer(before);
        for (const after of [first, second, second, before, third, first]) {
          expect(compare(after, { ...options, want })).toEqual(stepOf(before, after, { ...options, want }));
        }
      }),
      { numRuns: runs(50) },
    );
  });

  test("and with others: each of several old schemas is judged as if it were compared alone", () => {
    fc.assert(
      fc.property(pair, pair, optionsOf, optionsOf, ([first, after], [second, other], options, back) => {
        const compare = createSchemaComparer(first);
        const comparers = [compare, compare.from(second)].map((each, i) => [each, [first, second][i]] as const);
        for (const [compareTo, before] of [...comparers, ...comparers])
          for (const [now, asked] of [
            [after, options],
            [after, back],
            [other, options],
          ] as const)
            expect(compareTo(now, { ...asked, want: "verdict" })).toEqual(
              stepOf(before, now, { ...asked, want: "verdict" }),
            );
      }),
      { numRuns: runs(20) },
    );
  });

  const NAMED = {
    properties: { a: { enum: ["", [], { a: 1 }], format: "date" } },
    $defs: { one: { uniqueItems: false }, two: { type: "null" } },
  };
  const OTHER = { dependentRequired: {}, $defs: { one: { format: "date" }, two: { required: [] } } };

  test("and with others whose comparison runs out of steps: it is judged as if it were compared alone", () => {
    fc.assert(
      fc.property(pair, pair, optionsOf, fc.nat(3000), ([first, after], [second], options, steps) => {
        const compare = createSchemaComparer(first);
        const other = compare.from(second);
        const alone = stepOf(first, after, { ...options, want: "verdict" });
        for (let left = steps; left > 0; left -= 37) {
          expect(compare(after, { ...options, want: "verdict" })).toEqual(alone);
          other(after, { ...options, want: "verdict", budget: new StepBudget(left) });
        }
      }),
      {
        numRuns: runs(50),
        examples: [
          [
            [NAMED, { ...NAMED, allOf: [{ uniqueItems: false }] }],
            [OTHER, { ...OTHER, const: null }],
            { direction: "input", values: "any" },
            2480,
          ],
        ],
      },
    );
  });

  test("is read once for several old schemas", () => {
    const budget = new StepBudget(1e6);
    const properties = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`p${i}`, { ...S, minLength: i }]));
    const compare = createSchemaComparer({ type: "object" });
    const spent = (after: unknown) => {
      const { left } = budget;
      compare.from({ type: "object" })(after, { direction: "output", want: "proof", budget });
      return left - budget.left;
    };
    const after = { properties };
    const [first, again, copy] = [spent(after), spent(after), spent({ properties })];
    expect(again).toBeLessThan(0.7 * first);
    expect(copy).toBe(first);
  });

  test("and back: what one accepts as results of the other is what the other accepts as its input", () => {
    fc.assert(
      fc.property(pairSometimesNarrowed, optionsOf, ([before, after], { direction, values }) => {
        const compare = createSchemaComparer(before);
        compare(after, { direction, values, want: "verdict" });
        const opposite = direction === "input" ? "output" : "input";
        const back = compare(after, { direction: opposite, values, want: "verdict" });
        const { verdict, counterexample } = compareSchemas(after, before, { direction, values, want: "verdict" });
        expect([back.verdict, back.counterexample?.value]).toEqual([verdict, counterexample?.value]);
      }),
      { numRuns: runs(50) },
    );
  });

  test("lists no changes, and refuses a caller that wants them", () => {
    const compare = createSchemaComparer(S);
    const options = { direction: "input" } as unknown as Parameters<typeof compare>[1];
    expect(() => compare(true, options)).toThrow(
      expect.objectContaining({
        code: "invalid-argument",
        message: expect.stringContaining('expected want "verdict" or "proof", received nothing'),
      }),
    );
  });

  test("is compiled once, and so is one that is asked about several times in a row", () => {
    const budget = new StepBudget(1e6);
    const properties = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [`p${i}`, { ...S, pattern: `^a{${i}}$` }]),
    );
    const compare = createSchemaComparer({ properties });
    const steps = [1, 2].map(() => {
      const { left } = budget;
      compare({ type: "object" }, { direction: "output", want: "proof", budget });
      return left - budget.left;
    });
    expect(steps[1]).toBeLessThan(0.7 * (steps[0] as number));
    const { left } = budget;
    const [first, second] = [{ properties }, { properties: { ...properties } }];
    for (const after of [first, first, second]) compare(after, { direction: "output", want: "proof", budget });
    const asked = left - budget.left;
    for (const after of [first, second, first]) compare(after, { direction: "output", want: "proof", budget });
    expect(asked).toBeLessThan(left - asked - budget.left);
  });

  test("is read when it is first compared, and a fault in it is named each time", () => {
    const compare = createSchemaComparer({ type: "strng" });
    for (const after of [S, true]) {
      expect(() => compare(after, { direction: "input", want: "verdict" })).toThrow(
        expect.objectContaining({ code: "invalid-schema", schema: "before", path: "/type" }),
      );
    }
  });

  test("refuses nothing at all as a schema, also when it is compared first", () => {
    const refused = expect.objectContaining({ code: "not-json", schema: "after" });
    expect(() => createSchemaComparer(S)(undefined, { direction: "input", want: "proof" })).toThrow(refused);
  });

  test("is compared again after a comparison that ran out of steps", () => {
    const compare = createSchemaComparer({ enum: ["a", "b"] });
    const spent = compare(S, { direction: "input", want: "verdict", budget: new StepBudget(1) });
    expect([spent.verdict, compare(S, { direction: "input", want: "verdict" }).verdict]).toEqual([
      "unknown",
      "compatible",
    ]);
  });
});
