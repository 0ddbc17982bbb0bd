import { canonicalize, hashCanonical, sha256Hex } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";
import { nest, PROFILES } from "./hostile.ts";

/** Tests values with `count` levels or keys. The quick tests use fewer than the slow ones. */
export function describeSize(count: number): void {
  describe.each(PROFILES)(`${count} levels, %s`, (profile) => {
    test("of arrays", () => {
      const value = nest(count - 1, (inner) => [inner], []);
      const expected = "[".repeat(count) + "]".repeat(count);
      expect(canonicalize(value, { profile }) === expected).toBe(true);
      expect(hashCanonical(value, { profile })).toBe(sha256Hex(expected));
    });

    test("of objects with siblings", () => {
      const value = nest(count, (inner) => ({ b: 1, a: inner, u: undefined }), "x");
      const expected = `${'{"a":'.repeat(count)}"x"${',"b":1}'.repeat(count)}`;
      expect(canonicalize(value, { profile }) === expected).toBe(true);
    });
  });

  test(`${count} keys`, () => {
    const keys = Array.from({ length: count }, (_, i) => `k${(i * 7919) % count}`);
    const value = Object.fromEntries(keys.map((key) => [key, 1]));
    const expected = `{${keys
      .toSorted()
      .map((key) => `"${key}":1`)
      .join(",")}}`;
    expect(canonicalize(value) === expected).toBe(true);
  });
}
