import { parseJson } from "@agentprint/canonical-json";
import { runs } from "@agentprint/testing/property-runs";
import { anyCharacter } from "@agentprint/testing/text/any-character";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytes, rejection } from "./rejection.ts";

describe("invalid-utf8", () => {
  test.each<[why: string, input: Uint8Array, line: number, column: number, offset: number, path: string]>([
    ["overlong, 2 bytes", bytes('["', 0xc0, 0xaf, '"]'), 1, 3, 2, "/0"],
    ["overlong, 3 bytes", bytes('["', 0xe0, 0x80, 0xaf, '"]'), 1, 3, 2, "/0"],
    ["overlong, 4 bytes", bytes('["', 0xf0, 0x80, 0x80, 0xaf, '"]'), 1, 3, 2, "/0"],
    ["high surrogate", bytes('["', 0xed, 0xa0, 0x80, '"]'), 1, 3, 2, "/0"],
    ["low surrogate", bytes('["', 0xed, 0xbf, 0xbf, '"]'), 1, 3, 2, "/0"],
    ["beyond U+10FFFF", bytes('["', 0xf4, 0x90, 0x80, 0x80, '"]'), 1, 3, 2, "/0"],
    ["5-byte lead", bytes('["', 0xf8, 0x88, 0x80, 0x80, 0x80, '"]'), 1, 3, 2, "/0"],
    ["byte 0xff", bytes('{"a":{"b":"', 0xff, '"}}'), 1, 12, 11, "/a/b"],
    ["lone continuation", bytes('["', 0x80, '"]'), 1, 3, 2, "/0"],
    ["truncated at the end", bytes('["x', 0xf0, 0x9f, 0x98), 1, 4, 3, "/0"],
    ["truncated in the middle", bytes('["', 0xe2, 0x82, '"]'), 1, 3, 2, "/0"],
    ["bad third byte", bytes('["', 0xe2, 0x82, 0xc0, '"]'), 1, 3, 2, "/0"],
    ["after CRLF and an astral character", bytes('[\r\n"', 0xf0, 0x9f, 0x98, 0x80, 0xfe, '"]'), 2, 4, 8, "/0"],
    ["in a member name", bytes('{"a":1,"', 0xff, '":2}'), 1, 9, 8, ""],
    ["after the value", bytes("1", 0xff), 1, 2, 1, ""],
    ["UTF-16 with a byte order mark", bytes(0xff, 0xfe, "1", 0), 1, 1, 0, ""],
    ["before any other offence", bytes('{"a":1,"a":', 0xff), 1, 12, 11, "/a"],
  ])("%s", (_why, input, line, column, offset, path) => {
    const error = rejection(input);
    expect([error.code, error.position, error.path]).toEqual(["invalid-utf8", { line, column, offset }, path]);
    expect(error.message).toContain(`byte 0x${input[offset]?.toString(16)}`);
  });

  test("a UTF-8 byte order mark is its own code", () => {
    expect(rejection(bytes(0xef, 0xbb, 0xbf, "{}")).code).toBe("bom");
  });

  test("bytes are rejected exactly when the platform's decoder rejects them, where it stops", () => {
    const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const lossy = new TextDecoder("utf-8", { ignoreBOM: true });
    const piece = fc.oneof(
      fc.string({ unit: anyCharacter }).map((text) => new TextEncoder().encode(text)),
      fc.uint8Array({ maxLength: 5 }),
      fc
        .constantFrom([0xed], [0xa0, 0x80], [0xf4, 0x90], [0xef, 0xbf], [0xef, 0xbf, 0xbd], [0xe0, 0x80])
        .map((b) => Uint8Array.from(b)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const input = Uint8Array.from(pieces.flatMap((part) => [...part]));
        let text: string | undefined;
        try {
          text = strict.decode(input);
        } catch {}
        const quoted = Uint8Array.from([0x22, ...input, 0x22]);
        if (text !== undefined) {
          expect(outcome(quoted)).toEqual(outcome(`"${text}"`));
          return;
        }
        const { code, position } = rejection(quoted);
        expect(code).toBe("invalid-utf8");
        const at = (position?.offset ?? 0) - 1;
        const before = strict.decode(input.subarray(0, at));
        expect(lossy.decode(input).startsWith(`${before}\ufffd`)).toBe(true);
        expect([...input.subarray(at, at + 3)]).not.toEqual([0xef, 0xbf, 0xbd]);
      }),
      { numRuns: runs(300) },
    );
  });

  test("a part of a larger buffer, and a Buffer, are read within their bounds", () => {
    const whole = bytes("xx[1]xx");
    expect(parseJson(whole.subarray(2, 5))).toEqual([1]);
    expect(parseJson(Buffer.from("[1]"))).toEqual([1]);
  });
});

function outcome(input: string | Uint8Array): unknown {
  try {
    return { value: parseJson(input) };
  } catch (error) {
    return { error: String(error) };
  }
}
