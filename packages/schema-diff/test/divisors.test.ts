import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compareSchemas } from "../src/index.ts";

const DIVISORS = [0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75, 1, 1.5, 2, 3, 6, 7, 2 ** 53, 2 ** 55, 2 ** 57, 3e16, 1e17, 1e20];
const divisor = fc.constantFrom(...DIVISORS);
const FACTORS = [1, 2, 3, 4, 5, 7, 9, 12, 30];

/** Returns a number in hundredths, read from its shortest text and as its exact value. */
function readings(value: number): bigint[] {
  const [whole = "", fraction = ""] = String(value).split(".");
  const text = BigInt(whole + fraction.padEnd(2, "0"));
  return [text, Number.isInteger(value) ? BigInt(value) * 100n : text];
}

/** Decides by exact arithmetic; returns `undefined` if the two readings of the numbers disagree. */
function isMultiple(value: number, step: number): boolean | undefined {
  const [a, b, c, d] = [...readings(value), ...readings(step)] as [bigint, bigint, bigint, bigint];
  return (a % c === 0n) === (b % d === 0n) ? a % c === 0n : undefined;
}

/** Returns multiples of one divisor that are not multiples of another. */
function between(divides: number, other: number, type: string): number[] {
  const values = FACTORS.map((factor) => Number(readings(divides)[0]) * factor)
    .map((hundredths) => hundredths / 100)
    .filter((value) => value < 1e21 && (type === "number" || Number.isInteger(value)));
  return values.filter((value) => isMultiple(value, divides) === true && isMultiple(value, other) === false);
}

test("exact arithmetic agrees with the verdicts about divisors and with the effects of their changes", () => {
  const verdicts = { compatible: 0, breaking: 0, unknown: 0 };
  fc.assert(
    fc.property(divisor, divisor, fc.constantFrom("integer", "number"), fc.boolean(), (old, young, type, narrower) => {
      const schema = (multipleOf: number, more: object = {}) => ({
        type: "object",
        properties: { x: { type, multipleOf }, ...more },
      });
      const after = schema(young, narrower ? { s: { maxLength: 3 } } : {});
      const { verdict, changes } = compareSchemas(schema(old), after, { direction: "input" });
      verdicts[verdict]++;
      const [lost, gained] = [between(old, young, type), between(young, old, type)];
      if (lost.length > 0) expect({ lost, verdict }).not.toHaveProperty("verdict", "compatible");
      const effects = changes.filter(({ path }) => path.startsWith("/properties/x")).map(({ effect }) => effect);
      if (!effects.some((effect) => effect !== "widens")) expect({ effects, lost }).toEqual({ effects, lost: [] });
      if (!effects.some((effect) => effect !== "narrows")) expect({ effects, gained }).toEqual({ effects, gained: [] });
    }),
    { numRuns: runs(300) },
  );
  expect(Math.min(verdicts.compatible, verdicts.breaking)).toBeGreaterThan(runs(5));
});

test("a quotient beyond all doubles proves nothing, because validators that divide doubles reject it", () => {
  const compare = (multipleOf: number) =>
    compareSchemas({ type: "integer" }, { type: "integer", multipleOf }, { direction: "input" });
  expect(compare(5e-324).verdict).toBe("unknown");
  expect(compare(0.5).verdict).toBe("compatible");
});
