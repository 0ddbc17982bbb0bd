import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareSchemas } from "../src/index.ts";
import { rewrite } from "./support/rewrite.ts";
import { document, pair } from "./support/schemas.ts";

const direction = fc.constantFrom("input" as const, "output" as const);
const options = { numRuns: runs(150) };

describe("comparing schemas", () => {
  test("a schema is compatible with itself and has no changes", () => {
    fc.assert(
      fc.property(document, direction, (schema, way) => {
        const copy: unknown = JSON.parse(JSON.stringify(schema));
        expect(compareSchemas(schema, copy, { direction: way })).toEqual({
          verdict: "compatible",
          changes: [],
          notes: [],
        });
      }),
      options,
    );
  });

  test("notation and prose are no change", () => {
    fc.assert(
      fc.property(document, fc.nat(), direction, (schema, seed, way) => {
        const other = rewrite(schema, seed);
        const { verdict, changes, notes } = compareSchemas(schema, other, { direction: way });
        // Nothing can be proven about a schema that applies itself to the same value, because it has no meaning.
        fc.pre(notes.every(({ code }) => code !== "ref-cycle"));
        expect({ other, verdict, changes }).toEqual({ other, verdict: "compatible", changes: [] });
      }),
      options,
    );
  });

  test("comparing the other way round in the other direction gives the same verdict", () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const input = compareSchemas(before, after, { direction: "input" });
        const output = compareSchemas(after, before, { direction: "output" });
        expect(output.verdict).toBe(input.verdict);
        expect(output.counterexample?.value).toEqual(input.counterexample?.value);
        expect(output.counterexample?.acceptedBy).toBe(input.counterexample && "after");
      }),
      options,
    );
  });

  test("the order of keys never matters", () => {
    fc.assert(
      fc.property(pair, direction, ([before, after], way) => {
        const result = compareSchemas(before, after, { direction: way });
        expect(compareSchemas(reversed(before), reversed(after), { direction: way })).toEqual(result);
      }),
      options,
    );
  });

  test("the answer is the same every time, and the schemas are not changed", () => {
    fc.assert(
      fc.property(pair, direction, ([before, after], way) => {
        const texts = JSON.stringify([before, after]);
        const first = compareSchemas(before, after, { direction: way });
        expect(compareSchemas(before, after, { direction: way })).toEqual(first);
        expect(JSON.stringify([before, after])).toBe(texts);
      }),
      { numRuns: runs(50) },
    );
  });

  test("the verdict agrees with the effects: changes that only widen break no caller", () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const { verdict, changes } = compareSchemas(before, after, { direction: "input" });
        const onlyWidens = changes.every(({ effect }) => effect === "widens" || effect === "none");
        if (onlyWidens && changes.length > 0) expect(verdict).not.toBe("breaking");
      }),
      options,
    );
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, reversed(item)]),
  );
}
