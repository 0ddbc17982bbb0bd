import { CanonicalJsonError, hashCanonical, type ParseJsonOptions, parseJson } from "@agentprint/canonical-json";
import { expect } from "vitest";
import { resolveLimits } from "../../src/parse/limits.ts";
import { PieceHasher } from "../../src/stream/piece-hasher.ts";
import { TextWindow } from "../../src/stream/text-window.ts";
import { attempt } from "./texts.ts";

/** The outcome for a text: the digest, or the code and the place of its error. */
export function outcomeOf(run: () => string): unknown {
  const outcome = attempt(run);
  if ("value" in outcome) return outcome.value;
  if (!(outcome.error instanceof CanonicalJsonError)) throw outcome.error;
  const { code, path, position } = outcome.error;
  return { code, path, position };
}

/**
 * Returns the result for bytes that pass through a window of the given size in pieces that end at the given places.
 */
export function hashedInPieces(
  bytes: Uint8Array,
  ends: readonly number[],
  window: TextWindow,
  { maxBytes = Number.POSITIVE_INFINITY, ...rest }: ParseJsonOptions = {},
): unknown {
  return outcomeOf(() => {
    const hasher = new PieceHasher(resolveLimits(rest), maxBytes, window);
    let start = 0;
    for (const end of [...ends.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
      hasher.update(bytes.slice(start, end));
      start = end;
    }
    return hasher.digest();
  });
}

/** Returns the result of the plain reader and the value writer. */
export function hashedPlainly(bytes: Uint8Array, options: ParseJsonOptions = {}): unknown {
  return outcomeOf(() => hashCanonical(parseJson(bytes, options), options));
}

/** The size, in bytes, of a window that holds a few names and values. */
export const SMALL = 48;
/** The error codes for an object or a token that the window cannot hold. */
export const HELD: ReadonlySet<string> = new Set(["unordered-members", "too-large"]);

/**
 * Expects the plain reader's result for bytes in pieces, also through a window that holds only a few of them. The small
 * window may refuse objects and tokens that it cannot hold.
 */
export function expectPiecesAsPlain(bytes: Uint8Array, ends: readonly number[], options: ParseJsonOptions = {}): void {
  const expected = hashedPlainly(bytes, options);
  expect(hashedInPieces(bytes, ends, new TextWindow(SMALL, 1_000_000), options)).toEqual(expected);
  const small = hashedInPieces(bytes, ends, new TextWindow(SMALL, 2 * SMALL), options);
  const isRefused = bytes.length >= SMALL && HELD.has((small as { code?: string }).code ?? "");
  if (!isRefused) expect(small).toEqual(expected);
}
