import { canonicalize, escapeText, type JsonValue, precanonicalize } from "@agentprint/canonical-json";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeString } from "../../src/accelerators/encode-string.ts";
import { needsEscape } from "../../src/accelerators/escape-scan.ts";
import { isSmallInteger, writeInteger } from "../../src/accelerators/integers.ts";
import { pieces } from "../../src/accelerators/pieces.ts";
import { sortMany } from "../../src/accelerators/radix-sort.ts";
import { MAX_RECURSION_DEPTH } from "../../src/accelerators/recursion.ts";
import { sortRemembered, writeCachedKey } from "../../src/accelerators/remembered-keys.ts";
import { isSameByRecursion } from "../../src/accelerators/same-by-recursion.ts";
import { CanonicalJsonError } from "../../src/errors.ts";
import { isSameByStack } from "../../src/json-value/is-same-json.ts";
import { anyJson } from "../json-value/arbitraries.ts";

const ROOM = 1024;
const text = fc.string({
  unit: fc.constantFrom("a", "Z", " ", '"', "\\", "\n", "é", "一", "😀", "\ud83d", "\udc00"),
  maxLength: 80,
});
const plainText = fc.string({ unit: fc.constantFrom("a", "Z", "~", "é", "一", "😀"), maxLength: 80 });
const utf8 = (value: string) => [...new TextEncoder().encode(value)];

describe("each accelerator gives the same result as the plain code", () => {
  test("encodeString: the bytes that JSON.stringify has between the quotes, or -1 where it escapes", () => {
    fc.assert(
      fc.property(fc.oneof(text, plainText), fc.nat(7), (value, start) => {
        const bytes = new Uint8Array(ROOM);
        const end = encodeString(bytes, new Int32Array(bytes.buffer), start, value);
        const json = JSON.stringify(value).slice(1, -1);
        if (json === value) expect([...bytes.subarray(start, end)]).toEqual(utf8(value));
        else expect(end).toBe(-1);
      }),
      { numRuns: runs(250) },
    );
  });

  test("needsEscape: a search byte by byte", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.nat(64), fc.nat(64), (source, a, b) => {
        const bytes = new Uint8Array(64);
        bytes.set(source);
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const expected = bytes.subarray(from, to).some((byte) => byte < 0x20 || byte === 0x22 || byte === 0x5c);
        expect(needsEscape(bytes, new Int32Array(bytes.buffer), from, to)).toBe(expected);
      }),
      { numRuns: runs(250) },
    );
  });

  test("writeInteger: String", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer(), fc.nat(2 ** 31 - 1), fc.constantFrom(0, -0, 2 ** 31 - 1, 2 ** 31, 0.5)),
        (value) => {
          if (!isSmallInteger(value)) return;
          const bytes = new Uint8Array(16);
          const end = writeInteger(bytes, 2, value);
          expect([...bytes.subarray(2, end)]).toEqual(utf8(String(value)));
        },
      ),
    );
    expect([0, 1.5, -1, 2 ** 31].map(isSmallInteger)).toEqual([true, false, false, false]);
  });

  test("sortMany: Array.prototype.sort, also where the first characters are the same", () => {
    const key = fc
      .tuple(fc.constantFrom("", "same_prefix_", "same_prefix_and_more_"), text)
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.uniqueArray(key, { minLength: 500, maxLength: 600, size: "max" }), (keys) => {
        const latin1 = keys.map((value) => value.replace(/[^\0-\xfe]/g, "ÿ"));
        for (const list of [keys, [...new Set(latin1)]]) {
          const sorted = sortMany(list);
          if (sorted !== undefined) expect(sorted).toEqual(list.toSorted());
        }
      }),
      { numRuns: runs(10) },
    );
  });

  test("sortRemembered and writeCachedKey: Array.prototype.sort and JSON.stringify", () => {
    const keys = fc.uniqueArray(fc.oneof(text, fc.string({ maxLength: 70 })), { maxLength: 34 });
    fc.assert(
      fc.property(keys, (list) => {
        for (let time = 0; time < 3; time++) {
          const sorted = sortRemembered(list);
          if (sorted === undefined) continue;
          expect(sorted.keys).toEqual(list.toSorted());
          if (sorted.encoded === undefined) continue;
          const view = new DataView(new ArrayBuffer(ROOM));
          for (const [index, key] of sorted.keys.entries()) {
            const end = writeCachedKey(view, 3, sorted.encoded, index);
            expect([...new Uint8Array(view.buffer, 3, end - 3)]).toEqual(utf8(`${JSON.stringify(key)}:`));
          }
        }
      }),
    );
  });

  test("pieces: the whole text, cut between characters", () => {
    fc.assert(
      fc.property(fc.array(plainText, { minLength: 1, maxLength: 5 }), fc.nat(3), (parts, shift) => {
        const long = "x".repeat(shift) + parts.join("").repeat(400);
        const cut = [...pieces(long)];
        expect(cut.join("") === long).toBe(true);
        expect(cut.every((piece) => piece.isWellFormed())).toBe(true);
      }),
      { numRuns: runs(20) },
    );
  });

  test("recursion: the stack of the writer, below which the same value has the same text", () => {
    const opening = "[".repeat(MAX_RECURSION_DEPTH);
    fc.assert(
      fc.property(fc.object({ withNullPrototype: false }), (value) => {
        const json: unknown = JSON.parse(JSON.stringify(value));
        let deep: unknown = json;
        for (let level = 0; level < MAX_RECURSION_DEPTH; level++) deep = [deep];
        expect(canonicalize(deep).slice(opening.length, -opening.length)).toBe(canonicalize(json));
      }),
    );
  });

  test("comparison by recursion: an explicit stack, with edits at any depth", () => {
    const bury = (value: JsonValue, levels: number): JsonValue => {
      let deep = value;
      for (let level = 0; level < levels; level++) deep = level % 2 === 0 ? [deep] : { a: deep };
      return deep;
    };
    fc.assert(
      fc.property(anyJson, anyJson, fc.constantFrom(0, 1, MAX_RECURSION_DEPTH - 1), (one, other, levels) => {
        const [a, b] = [bury(one, levels), bury(other, levels)];
        for (const value of [a, b, structuredClone(a)]) {
          expect(isSameByRecursion(a, value, 0, isSameByStack)).toBe(isSameByStack(a, value));
        }
      }),
      { numRuns: runs(50) },
    );
  });

  test("a part: what its toJSON returns", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalize({ part: precanonicalize(value) })).toBe(canonicalize({ part: value }));
      }),
    );
  });
});

test("a message escapes every character that escapeText escapes", () => {
  const missed: string[] = [];
  const points = Array.from({ length: 1024 }, (_, index) => index);
  for (let first = 0; first <= 0x10ffff; first += points.length) {
    const characters = points.map((index) => String.fromCodePoint(first + index));
    const text = characters.join("");
    if (escapeText(text) === text) continue;
    for (const character of characters) {
      if (escapeText(character) === character) continue;
      const { message } = new CanonicalJsonError("undefined", "", character);
      if (message.includes(character)) missed.push(character.codePointAt(0)?.toString(16) ?? "");
    }
  }
  expect(missed).toEqual([]);
});
