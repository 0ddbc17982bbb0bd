import { sha256Hex } from "@agentprint/canonical-json";
import {
  computeTextHash,
  createTextHasher,
  NORMALIZATION_LEVELS,
  type NormalizationLevel,
  normalizeText,
} from "@agentprint/content-hash";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const WHITE_SPACE = /\p{White_Space}/u;

/** The levels as the resolutions define them, as one expression each. */
const model: Record<NormalizationLevel, (text: string) => string> = {
  bytes: (text) => text,
  eol: (text) => text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n"),
  trailing: (text) =>
    model
      .eol(text)
      .split("\n")
      .map((line) => line.replace(/\p{White_Space}+$/u, ""))
      .join("\n")
      .replace(/\n+$/, ""),
  whitespace: (text) =>
    text
      .replace(/^\uFEFF/, "")
      .replace(/\p{White_Space}+/gu, " ")
      .replace(/^ | $/g, ""),
  lagovista: (text) =>
    text
      .replace(/\r\n?/g, "\n")
      .split("\n")
      .map((line) => `${line.slice(0, 500).toWellFormed()}\n`)
      .join(""),
};

const trap = fc.constantFrom(
  ..." \t\n\r\u000b\f\u0085\u00a0\u1680\u2000\u200a\u200b\u2028\u2029\u202f\u205f\u3000\ufeff\u180e\u2060ab\u00e9\u20ac".split(
    "",
  ),
  "\r\n",
  "\u{1f600}",
  "\u{10ffff}",
  "\u00c2",
  "\u1681",
  "\u200b",
  "\u2051",
  "\u3001",
  "x".repeat(499),
);
const text = fc.array(trap, { maxLength: 60 }).map((pieces) => pieces.join(""));
const level = fc.constantFrom(...NORMALIZATION_LEVELS);

describe("every level", () => {
  test("normalizes as its definition says", () => {
    fc.assert(
      fc.property(text, level, (content, name) => {
        expect(normalizeText(content, name)).toBe(model[name](content));
      }),
      { numRuns: runs(100) },
    );
  });

  test("hashes the UTF-8 of the normalized text", () => {
    fc.assert(
      fc.property(text, level, (content, name) => {
        expect(computeTextHash(content, name)).toBe(sha256Hex(normalizeText(content, name)));
      }),
    );
  });

  test("does not depend on how text is cut", () => {
    fc.assert(
      fc.property(text, level, fc.array(fc.nat(80)), (content, name, cuts) => {
        const hasher = createTextHasher(name);
        for (const piece of pieces(content, cuts)) hasher.update(piece);
        expect(hasher.digest()).toBe(computeTextHash(content, name));
      }),
      { numRuns: runs(50) },
    );
  });

  test("does not depend on how bytes are cut", () => {
    fc.assert(
      fc.property(text, level, fc.array(fc.nat(120)), (content, name, cuts) => {
        const hasher = createTextHasher(name);
        for (const piece of pieces(new TextEncoder().encode(content), cuts)) hasher.update(piece);
        expect(hasher.digest()).toBe(computeTextHash(content, name));
      }),
      { numRuns: runs(50) },
    );
  });

  test("does not depend on where its own buffers end", () => {
    const unit = "\u{1f600} \u2028\r\n\u00e9  x \t";
    for (const shift of [0, 1, 2, 3, 4, 5, 6, 7, 8]) {
      const content = `${"a".repeat(16 * 1024 - 20 + shift)}${unit.repeat(4000)}`;
      for (const name of NORMALIZATION_LEVELS)
        expect(computeTextHash(content, name), name).toBe(sha256Hex(model[name](content)));
    }
  });

  test("takes one character at a time", () => {
    const content = `\ufeff a\r\n\u{1f600}\u2028 b\r\r\n\n c \u3000\n\n`;
    for (const name of NORMALIZATION_LEVELS) {
      const hasher = createTextHasher(name);
      for (const unit of content.split("")) hasher.update(unit);
      expect(hasher.digest(), name).toBe(sha256Hex(model[name](content)));
    }
  });
});

function pieces<Content extends string | Uint8Array>(content: Content, cuts: readonly number[]): Content[] {
  const ends = [...cuts, content.length].map((cut) => Math.min(cut, content.length)).sort((a, b) => a - b);
  return ends.map((end, index) => content.slice(index === 0 ? 0 : ends[index - 1], end) as Content);
}

describe("white space", () => {
  test("is exactly what Unicode calls White_Space", () => {
    for (let unit = 0; unit <= 0xffff; unit++) {
      const character = String.fromCharCode(unit);
      if (!character.isWellFormed()) continue;
      const expected = WHITE_SPACE.test(character) ? "a b" : `a${character}b`;
      if (normalizeText(`a${character}b`) !== expected) throw new Error(`U+${unit.toString(16)} is normalized wrongly`);
    }
  });

  test("separates", () => {
    expect(computeTextHash("a b")).not.toBe(computeTextHash("ab"));
  });
});

describe("trailing white space longer than any buffer", () => {
  const long = ` \t${"\u3000".repeat(30_000)}`;

  test.each([
    ["is dropped at the end of a line", `a${long}\nb`, "a\nb"],
    ["is dropped at the end of the text", `a${long}`, "a"],
    ["is dropped on lines of its own", `a\n\n${long}\n${long}\nb${long}\n`, "a\n\n\n\nb"],
    ["is kept before something visible", `a\n${long}b${long}\nc`, `a\n${long}b\nc`],
    ["is kept inside a line", `a${long}b`, `a${long}b`],
    ["is nothing in a text of white space", `${long}\n${long}`, ""],
  ])("%s", (_name, content, expected) => {
    expect(normalizeText(content, "trailing") === expected).toBe(true);
    expect(computeTextHash(content, "trailing")).toBe(sha256Hex(expected));
  });

  test("and more newlines than any buffer", () => {
    const content = `a${"\n".repeat(50_000)}b${"\n".repeat(50_000)}`;
    expect(computeTextHash(content, "trailing")).toBe(sha256Hex(`a${"\n".repeat(50_000)}b`));
  });

  test("a visible line longer than any buffer", () => {
    const content = `${"x".repeat(50_000)}  \n`;
    expect(computeTextHash(content, "trailing")).toBe(sha256Hex("x".repeat(50_000)));
    const hasher = createTextHasher("trailing");
    hasher.update(new TextEncoder().encode(content));
    expect(hasher.digest()).toBe(sha256Hex("x".repeat(50_000)));
  });
});
