import { canonicalize, canonicalizeToBytes, hashCanonical, sha256Hex } from "@agentprint/canonical-json";
import { anyCharacter } from "@agentprint/testing/text/any-character";
import rfc8785 from "canonicalize";
import fc from "fast-check";
import { expect, test } from "vitest";

/** A fresh seed per run, printed so that a failure can be repeated. */
function newSeed(name: string): number {
  const seed = Math.floor(Math.random() * 2 ** 31);
  console.info(`${name}: seed ${seed}`);
  return seed;
}

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 6 }),
  fc.string({
    unit: fc.constantFrom('"', "\\", "\n", "\u0000", "\u001f", "\u007f", "é", "€", "😀", "\u2028", "a", "/"),
    maxLength: 40,
  }),
  fc.string({ unit: fc.constantFrom("é", "字", "😀", "\u0080", "\uffff", "a", " "), minLength: 20, maxLength: 60 }),
  fc.constantFrom(
    "__proto__",
    "toJSON",
    "constructor",
    "1",
    "10",
    "9",
    "",
    "x".repeat(25),
    `${"long ".repeat(8)}"end"`,
  ),
);
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.nat(20), fc.constant(-0));

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 12 }),
    fc.array(number, { maxLength: 12 }),
    fc.dictionary(text, tie("json"), { maxKeys: 6 }),
  ),
}));

const { anything } = fc.letrec<{ anything: unknown }>((tie) => ({
  anything: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.string({ unit: anyCharacter, maxLength: 30 }),
    fc.string({ unit: fc.constantFrom("字", "😀", "é"), minLength: 20, maxLength: 40 }),
    fc.string({ unit: fc.constantFrom("\ud800", "\udc00", "a", "😀"), maxLength: 30 }),
    fc.double(),
    fc.constantFrom(
      undefined,
      null,
      true,
      Symbol.iterator,
      () => 1,
      new Date(0),
      new Date(Number.NaN),
      Object("boxed"),
      Object(2),
    ),
    fc.constant({ toJSON: (key: string) => [key, undefined] }),
    fc.array(tie("anything"), { maxLength: 6 }),
    fc.sparseArray(tie("anything"), { maxNumElements: 3, maxLength: 6 }),
    fc.dictionary(fc.string({ unit: anyCharacter, maxLength: 4 }), tie("anything"), {
      maxKeys: 5,
      noNullPrototype: false,
    }),
  ),
}));

/** Writes the text of `JSON.stringify`, but with the keys of every object sorted, by the simplest possible code. */
function sorted(parsed: unknown): string {
  if (Array.isArray(parsed)) return `[${parsed.map(sorted).join(",")}]`;
  if (typeof parsed !== "object" || parsed === null) return JSON.stringify(parsed);
  const members = Object.entries(parsed).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, value]) => `${JSON.stringify(key)}:${sorted(value)}`).join(",")}}`;
}

/** Compares the text of random values with two other writers. The quick tests use fewer values than the slow ones. */
export function testDifferential(runs: number): void {
  test(`rfc8785 equals canonicalize@5.1.0 on ${runs} values`, () => {
    let count = 0;
    fc.assert(
      fc.property(json, (value) => {
        count++;
        const expected = rfc8785(value) as string;
        if (canonicalize(value) !== expected) expect(canonicalize(value)).toBe(expected);
        if (count % 10 === 0) {
          expect(hashCanonical(value)).toBe(sha256Hex(expected));
          expect(new TextDecoder().decode(canonicalizeToBytes(value))).toBe(expected);
        }
      }),
      { seed: newSeed("rfc8785"), numRuns: runs },
    );
    expect(count).toBe(runs);
  });

  test(`ecmascript equals sorted JSON.stringify on ${runs} values`, () => {
    let compared = 0;
    fc.assert(
      fc.property(anything, (value) => {
        const native = JSON.stringify(value) as string | undefined;
        if (native === undefined) {
          expect(() => canonicalize(value, { profile: "ecmascript" })).toThrow(TypeError);
          return;
        }
        compared++;
        const ours = canonicalize(value, { profile: "ecmascript" });
        const expected = sorted(JSON.parse(native));
        if (ours !== expected) expect(ours).toBe(expected);
      }),
      { seed: newSeed("ecmascript"), numRuns: runs },
    );
    expect(compared).toBeGreaterThan(runs / 2);
  });
}

/** Compares long texts that have surrogates where the writer splits text into pieces. */
export function testCuts(runs: number): void {
  test("surrogates around every place where a long text is cut are escaped as JSON.stringify does", () => {
    const ecmascript = { profile: "ecmascript" } as const;
    const boundary = fc
      .constantFrom(16_384, 32_768, 65_536, 131_072)
      .chain((at) => fc.integer({ min: at - 5, max: at + 2 }));
    const units = fc.constantFrom("\ud83d", "\ude00", "\ud83d\ude00", "a", "\n");
    fc.assert(
      fc.property(boundary, fc.string({ unit: units, minLength: 1, maxLength: 6 }), (at, middle) => {
        const text = `${"x".repeat(at)}${middle}y`;
        const value = { [text]: text };
        const expected = JSON.stringify(value);
        // Not toBe, because a failure would print 200 KB.
        expect(canonicalize(text, ecmascript) === JSON.stringify(text)).toBe(true);
        expect(canonicalize(value, ecmascript) === expected).toBe(true);
        expect(Buffer.from(canonicalizeToBytes(value, ecmascript)).toString() === expected).toBe(true);
        expect(hashCanonical(value, ecmascript)).toBe(sha256Hex(expected));
        if (text.isWellFormed()) expect(hashCanonical(value)).toBe(sha256Hex(rfc8785(value) as string));
        else expect(() => hashCanonical(value)).toThrow(expect.objectContaining({ code: "lone-surrogate" }));
      }),
      { numRuns: runs },
    );
  });
}
