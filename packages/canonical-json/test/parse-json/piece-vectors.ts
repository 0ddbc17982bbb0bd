import { createJsonHasher } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";
import { generateText, type TextRule } from "../../../../fixtures/ports/typescript/src/generated-text.ts";
import { listSuites, loadSuite } from "../../../../fixtures/src/load.ts";
import type { VectorInput } from "../../../../fixtures/src/suite.ts";
import { hashedPlainly, outcomeOf } from "./pieces.ts";

/** In bytes, so that every vector fits into memory. */
const LARGEST_OBJECT = 32 * 2 ** 20;

function bytesOf({ hex, rule, json }: VectorInput): Uint8Array | undefined {
  if (typeof hex === "string") return new Uint8Array(Buffer.from(hex, "hex"));
  const text = rule === undefined ? json : generateText(rule as unknown as TextRule);
  return typeof text === "string" && text.isWellFormed() ? new TextEncoder().encode(text) : undefined;
}

/**
 * Expects the plain reader's result for each vector that has a text, in pieces of one byte, in pieces of seven, and in
 * one piece.
 */
export function testPieceVectors(only: (suite: string) => boolean): void {
  const suites = listSuites().filter((name) => name.startsWith("canonical-json/") && only(name));
  const texts = suites.flatMap((suite) =>
    loadSuite(suite).cases.flatMap(({ id, input }) => {
      const bytes = bytesOf(input);
      return bytes === undefined ? [] : [{ id: `${suite} ${id}`, input, bytes }];
    }),
  );

  describe("in pieces", () => {
    test.each(texts)("$id", ({ input, bytes }) => {
      const { losslessIntegers, maxDepth, maxBytes } = input as Parameters<typeof createJsonHasher>[0] & VectorInput;
      const options = { losslessIntegers, maxDepth, maxBytes };
      const expected = hashedPlainly(bytes, options);
      for (const size of [1, 7, bytes.length]) {
        const outcome = outcomeOf(() => {
          const hasher = createJsonHasher({ ...options, maxObjectBytes: LARGEST_OBJECT });
          for (let at = 0; at < bytes.length; at += size) hasher.update(bytes.subarray(at, at + size));
          return hasher.digest();
        });
        expect(outcome).toEqual(expected);
      }
    });
  });
}
