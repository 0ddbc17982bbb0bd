import {
  CanonicalJsonError,
  canonicalize,
  canonicalizeJson,
  hashCanonical,
  hashJson,
  type JsonValue,
  type ParseJsonOptions,
  parseJson,
} from "@agentprint/canonical-json";
import fc from "fast-check";
import { expect, test } from "vitest";
import { expectPiecesAsPlain } from "./pieces.ts";
import { attempt, jsonText, mutated } from "./texts.ts";

const OPTIONS: readonly ParseJsonOptions[] = [{}, { losslessIntegers: true }, { maxDepth: 2 }, { maxBytes: 40 }];

/** Returns an outcome without its error's class. */
function seen(outcome: { value: unknown } | { error: unknown }): unknown {
  if ("value" in outcome) return outcome.value;
  if (!(outcome.error instanceof CanonicalJsonError)) throw outcome.error;
  const { code, path, message, position } = outcome.error;
  return { code, path, message, position };
}

/** Expects, for a text as a string and as bytes, the result of the plain reader and the value writer. */
export function expectAsPlain(text: string, options: ParseJsonOptions = {}): void {
  const inputs = text.isWellFormed() ? [text, new TextEncoder().encode(text)] : [text];
  for (const input of inputs) {
    const value = attempt(() => parseJson(input, options));
    const written = "value" in value ? attempt(() => canonicalize(value.value as JsonValue, options)) : value;
    const hashed = "value" in value ? attempt(() => hashCanonical(value.value as JsonValue, options)) : value;
    expect(seen(attempt(() => canonicalizeJson(input, options)))).toEqual(seen(written));
    expect(seen(attempt(() => hashJson(input, options)))).toEqual(seen(hashed));
  }
}

/** Compares the texts and errors from rewriting bytes with the plain reader's. */
export function testRewriting(runs: number): void {
  test.each([
    ["generated texts", jsonText],
    ["mutated texts", mutated],
    [
      "values, indented",
      fc.tuple(fc.jsonValue(), fc.nat(4)).map(([value, indent]) => JSON.stringify(value, null, indent)),
    ],
    ["floats", fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })).map((list) => JSON.stringify(list))],
  ])("%s give the same result as the plain reader and the writer", (_name, texts) => {
    fc.assert(
      fc.property(texts, fc.constantFrom(...OPTIONS), fc.array(fc.nat(), { maxLength: 3 }), (text, options, ends) => {
        expectAsPlain(text, options);
        expectPiecesAsPlain(new TextEncoder().encode(text), ends, options);
      }),
      { numRuns: runs },
    );
  });
}
