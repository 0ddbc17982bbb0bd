import fc from "fast-check";
import { generateSync, type JsonSchema } from "json-schema-faker";
import { describe, expect, test } from "vitest";
import { compareSchemas } from "../../src/index.ts";
import { samplesOf } from "./samples.ts";
import { pairSometimesNarrowed, type Schema } from "./schemas.ts";
import { THEMES } from "./themes.ts";
import { disputesOf, judgeOf } from "./validators.ts";

/**
 * Checks comparisons of random pairs of schemas with two validators; the quick tests use fewer pairs than the slow
 * ones.
 */
export function testSoundness(numRuns: number, themeRuns: number = numRuns): void {
  describe("two other validators find no lie", () => {
    test("sampled values never contradict `compatible`, and every counterexample holds", () => {
      const verdicts = { compatible: 0, breaking: 0, unknown: 0 };
      fc.assert(
        fc.property(
          pairSometimesNarrowed,
          fc.constantFrom("input" as const, "output" as const),
          fc.nat(),
          ([before, after], direction, seed) => {
            const { verdict, counterexample } = compareSchemas(before, after, { direction });
            verdicts[verdict]++;
            const [accepting, rejecting] = direction === "input" ? [before, after] : [after, before];
            const [accepts, accepted] = [judgeOf(accepting), judgeOf(rejecting)];
            if (verdict === "breaking") {
              const value = counterexample?.value;
              const disputes = [...disputesOf(accepting, value, true), ...disputesOf(rejecting, value, false)];
              expect({ before, after, value, disputes }).toEqual({ before, after, value, disputes: [] });
              return;
            }
            for (const value of [...samplesOf([before, after], seed, 150), ...fakesOf(accepting, seed)]) {
              if (accepts(value) !== true || accepted(value) !== false) continue;
              expect({ verdict, before, after, direction, value }).not.toHaveProperty("verdict", "compatible");
            }
          },
        ),
        { numRuns },
      );
      expect(Math.min(verdicts.compatible, verdicts.breaking)).toBeGreaterThan(numRuns * 0.05);
      expect(verdicts.unknown).toBeLessThan(numRuns * 0.08);
    });

    test.each(THEMES)("nor where they look for $name", ({ pairs, values, judge, isDecided }) => {
      fc.assert(
        fc.property(pairs, ([before, after]) => {
          const { verdict, counterexample } = compareSchemas(before, after, { direction: "input" });
          const [accepts, accepted] = [judge(before), judge(after)];
          const lost = values.filter((value) => accepts(value) === true && accepted(value) === false);
          if (isDecided) expect(verdict).not.toBe("unknown");
          if (verdict === "breaking") lost.push(counterexample?.value);
          const judged = lost.map((value) => [value, verdict !== "compatible", accepts(value), accepted(value)]);
          expect(judged).toEqual(lost.map((value) => [value, true, true, false]));
        }),
        { numRuns: themeRuns },
      );
    });
  });
}

/**
 * Returns values that a test data generator makes from the accepting schema. The generator gives up on contradictory
 * schemas, and exhausts the memory on some that apply themselves to the same value.
 */
function fakesOf(schema: Schema, seed: number): unknown[] {
  if (JSON.stringify(schema).includes("$ref")) return [];
  try {
    return [0, 1, 2].map((i) => generateSync(schema as JsonSchema, { seed: seed + i, refDepthMax: 4 }));
  } catch {
    return [];
  }
}
