import { hashJson } from "@agentprint/canonical-json";
import { expect } from "vitest";
import { TextWindow } from "../../src/stream/text-window.ts";
import { HELD, hashedInPieces, hashedPlainly, outcomeOf, SMALL } from "./pieces.ts";
import { RandomTexts } from "./random-texts.ts";

/** How many texts had each outcome. */
export interface DifferentialCounts {
  digests: number;
  errors: number;
  /** Texts that a window of a few bytes cannot hold. */
  refused: number;
}

/**
 * Compares both implementations with the plain reader on random or mutated texts: their digests, and the codes, paths
 * and places of their errors.
 */
export function compareRoads(count: number, seed: number, isMutated: boolean): DifferentialCounts {
  const texts = new RandomTexts(seed);
  const encoder = new TextEncoder();
  const counts: DifferentialCounts = { digests: 0, errors: 0, refused: 0 };
  for (let index = 0; index < count; index++) {
    const text = isMutated ? texts.mutated() : texts.text();
    const bytes = encoder.encode(text);
    const expected = hashedPlainly(bytes);
    const whole = outcomeOf(() => hashJson(bytes));
    const pieces = hashedInPieces(bytes, [texts.below(1000)], new TextWindow(SMALL, 2 * SMALL));
    if (!isSame(whole, expected)) expect(whole, text).toEqual(expected);
    if (HELD.has((pieces as { code?: string }).code ?? "")) counts.refused++;
    else if (!isSame(pieces, expected)) expect(pieces, text).toEqual(expected);
    counts[typeof expected === "string" ? "digests" : "errors"]++;
  }
  return counts;
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || (typeof one === "object" && JSON.stringify(one) === JSON.stringify(other));
}
