import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checksums, HAS_BIT_PATTERNS } from "./number-sequence.ts";

const PUBLISHED = new URL("../../../../shared/oracle/hashee/jcsNumberSequence.json", import.meta.url);
const skipped = HAS_BIT_PATTERNS ? "" : " (skipped: its bit patterns are not next to this checkout)";

interface Published {
  readonly input: { readonly lines: number };
  readonly expected: { readonly digest: string };
}

/** Compares the official number sequence with the published checksums, up to the given number of lines. */
export function testNumberSequence(lines: number): void {
  test.skipIf(!HAS_BIT_PATTERNS)(`the official number sequence, ${lines} lines${skipped}`, () => {
    const all = JSON.parse(readFileSync(PUBLISHED, "utf8")) as Published[];
    const published = new Map(
      all.filter(({ input }) => input.lines <= lines).map(({ input, expected }) => [input.lines, expected.digest]),
    );
    expect(published.has(lines)).toBe(true);
    expect(checksums([...published.keys()])).toEqual(published);
  });
}
