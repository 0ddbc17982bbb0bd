import {
  ContentHashError,
  computeTextHash,
  createTextHasher,
  NORMALIZATION_LEVELS,
  type NormalizationLevel,
  normalizeText,
} from "@agentprint/content-hash";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const STRICT = NORMALIZATION_LEVELS.filter((level) => level !== "lagovista");

function failure(run: () => unknown): ContentHashError {
  try {
    run();
  } catch (error) {
    if (error instanceof ContentHashError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

function hashPieces(pieces: readonly (string | Uint8Array)[], level: NormalizationLevel = "whitespace"): string {
  const hasher = createTextHasher(level);
  for (const piece of pieces) hasher.update(piece);
  return hasher.digest();
}

describe("a lone surrogate", () => {
  test.each(STRICT)("is refused at level %s, with its place", (level) => {
    const error = failure(() => computeTextHash("ab\ud800c", level));
    expect(error).toMatchObject({ code: "MALFORMED_TEXT", offset: 2 });
    expect(error.message).toBe("text is not well-formed: lone surrogate U+D800 at UTF-16 unit 2");
    expect(failure(() => normalizeText("\u{1f600}\udc00", level))).toMatchObject({ offset: 2 });
    expect(failure(() => computeTextHash("ab\ud83d", level))).toMatchObject({ offset: 2 });
  });

  test("is counted from the start of the whole content", () => {
    expect(failure(() => hashPieces(["ab\ud83d", "\ude00", "c\ud83d", "d"]))).toMatchObject({ offset: 5 });
  });

  test("is U+FFFD at level lagovista", () => {
    expect(normalizeText("a\ud800", "lagovista")).toBe("a\ufffd\n");
    expect(normalizeText("\udc00b", "lagovista")).toBe("\ufffdb\n");
    expect(hashPieces(["a\ud800", "b"], "lagovista")).toBe(computeTextHash("a\ufffdb", "lagovista"));
  });
});

describe("bytes that are not UTF-8", () => {
  const good = new TextEncoder().encode("é€\u{1f600}");

  test.each([
    ["a lone continuation byte", [0x61, 0x80], 1],
    ["a byte that UTF-8 never has", [0x61, 0x62, 0xff], 2],
    ["an overlong slash", [0xc0, 0xaf], 0],
    ["a surrogate", [0x61, 0xed, 0xa0, 0x80], 1],
    ["a code point beyond Unicode", [0xf4, 0x90, 0x80, 0x80], 0],
    ["a character cut by ASCII", [0xe2, 0x82, 0x41], 0],
    ["an end inside a character", [0x61, 0xf0, 0x9f, 0x98], 1],
    ["five lead bytes", [0xf0, 0xf0, 0xf0, 0xf0, 0xf0], 0],
  ])("%s", (_name, bytes, offset) => {
    for (const level of NORMALIZATION_LEVELS.filter((name) => name !== "bytes")) {
      const error = failure(() => hashPieces([Uint8Array.from(bytes)], level));
      expect(error).toMatchObject({ code: "MALFORMED_TEXT", offset });
      expect(error.message).toBe(`content is not UTF-8: malformed at byte ${offset}`);
    }
    expect(hashPieces([Uint8Array.from(bytes)], "bytes")).toHaveLength(64);
  });

  test("are found wherever they are", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), fc.string({ unit: "grapheme" }), (before, after) => {
        const valid = new TextEncoder().encode(before);
        const bytes = Uint8Array.from([...valid, 0xff, ...new TextEncoder().encode(after)]);
        expect(failure(() => hashPieces([bytes])).offset).toBe(valid.length);
      }),
    );
  });

  test("are found across pieces", () => {
    expect(failure(() => hashPieces([good.subarray(0, 1), good.subarray(2)]))).toMatchObject({ offset: 0 });
    expect(failure(() => hashPieces([good, Uint8Array.of(0x80)]))).toMatchObject({ offset: 9 });
  });

  test("cannot be completed by text to a character, nor the other way round", () => {
    expect(failure(() => hashPieces([good.subarray(0, 1), "a"])).code).toBe("MALFORMED_TEXT");
    expect(failure(() => hashPieces(["\ud83d", good])).code).toBe("MALFORMED_TEXT");
    expect(hashPieces(["é€", new TextEncoder().encode("\u{1f600}")])).toBe(computeTextHash("é€\u{1f600}"));
  });
});

describe("pieces of text among pieces of bytes", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);

  test.each(NORMALIZATION_LEVELS)(
    "an empty piece changes nothing, not even inside a character, at level %s",
    (level) => {
      const whole = hashPieces(["a\u{1f600}b"], level);
      const nothing = new Uint8Array(0);
      expect(hashPieces(["", nothing, "a\ud83d", nothing, "", "\ude00", nothing, "b"], level)).toBe(whole);
      const [head, tail] = [bytes("a\u{1f600}").subarray(0, 3), bytes("\u{1f600}b").subarray(2)];
      expect(hashPieces([head, "", nothing, tail, ""], level)).toBe(whole);
    },
  );

  test.each(STRICT)("half a surrogate pair before bytes is lone at level %s", (level) => {
    for (const pieces of [
      ["c\ud83d", bytes("a"), "\ude00"],
      ["c\ud83d", bytes("a")],
    ]) {
      expect(failure(() => hashPieces(pieces, level))).toMatchObject({ code: "MALFORMED_TEXT", offset: 1 });
    }
  });

  test("half a surrogate pair before bytes is U+FFFD at level lagovista, and so is the other half", () => {
    const expected = computeTextHash("a\ufffdb\ufffdc", "lagovista");
    expect(hashPieces(["a\ud83d", bytes("b"), "\ude00", bytes("c")], "lagovista")).toBe(expected);
    expect(failure(() => hashPieces(["a\ud83d", Uint8Array.of(0x62, 0xff)], "lagovista"))).toMatchObject({ offset: 3 });
  });

  test("any bytes may be next to text at level bytes", () => {
    const mixed = hashPieces([Uint8Array.of(0xc3), "a\u{1f600}", Uint8Array.of(0xff)], "bytes");
    expect(mixed).toBe(hashPieces([Uint8Array.of(0xc3, ...bytes("a\u{1f600}"), 0xff)], "bytes"));
    expect(failure(() => hashPieces([Uint8Array.of(0xc3), "\ud83d"], "bytes"))).toMatchObject({ offset: 1 });
  });
});

describe("what is no text", () => {
  test.each([[null], [undefined], [1], [{}]])("%j", (content) => {
    const error = failure(() => computeTextHash(content as never));
    expect(error.code).toBe("INVALID_CONTENT");
    expect(failure(() => normalizeText(content as never)).code).toBe("INVALID_CONTENT");
    expect(failure(() => createTextHasher().update(content as never)).code).toBe("INVALID_CONTENT");
  });

  test("null is the empty text at level lagovista only", () => {
    expect(computeTextHash(null, "lagovista")).toBe(computeTextHash("", "lagovista"));
  });

  test("an unknown level", () => {
    const error = failure(() => computeTextHash("a", "lines" as NormalizationLevel));
    expect(error).toMatchObject({ code: "UNKNOWN_LEVEL", message: expect.stringContaining("whitespace") });
  });

  test.each([[null], [Object.create(null)], [Symbol("eol")], [["eol"]]])("a level that is no text", (level) => {
    expect(failure(() => computeTextHash("a", level as never)).code).toBe("UNKNOWN_LEVEL");
  });
});
