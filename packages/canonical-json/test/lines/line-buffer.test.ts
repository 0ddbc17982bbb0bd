import { LineBuffer, splitLines } from "@agentprint/canonical-json/lines";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function readAll(pieces: readonly Uint8Array[]): string[] {
  const buffer = new LineBuffer();
  const blocks = pieces.map((piece) => buffer.push(piece));
  const lines = [...blocks, buffer.end()].flatMap((block) => (block === undefined ? [] : splitLines(block)));
  return lines.map((line) => decoder.decode(line));
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const bounds = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return bounds.slice(1).map((end, index) => bytes.subarray(bounds[index], end));
}

describe("LineBuffer", () => {
  test.each<[string, string[], string[]]>([
    ["no text", [], []],
    ["an empty piece", [""], []],
    ["whole lines", ["a\nb\n"], ["a", "b"]],
    ["a line without its line feed", ["a\nb"], ["a", "b"]],
    ["empty lines", ["\n\n"], ["", ""]],
    ["a line of three pieces", ["a", "b", "c\n"], ["abc"]],
    ["a line feed of its own", ["ab", "\n", "c"], ["ab", "c"]],
    ["carriage returns, which belong to the line", ["a\r\nb\r\n"], ["a\r", "b\r"]],
  ])("%s", (_what, pieces, lines) => {
    expect(readAll(pieces.map((piece) => encoder.encode(piece)))).toEqual(lines);
  });

  test("however a text is cut, its lines are the same", () => {
    const anyText = fc.array(fc.constantFrom("\n", "a", "é", "😀", "\r")).map((characters) => characters.join(""));
    fc.assert(
      fc.property(anyText, fc.array(fc.nat()), (text, places) => {
        const lines = text.split("\n");
        if (lines.at(-1) === "") lines.pop();
        expect(readAll(cut(encoder.encode(text), places))).toEqual(lines);
      }),
      { numRuns: runs(300) },
    );
  });

  test("counts the bytes of the line that has not ended", () => {
    const buffer = new LineBuffer();
    const counts = ["ab", "c\nd", "\n"].map((piece) => {
      buffer.push(encoder.encode(piece));
      return buffer.pendingBytes;
    });
    expect(counts).toEqual([2, 1, 0]);
  });

  test("copies what it keeps, so that the caller may reuse a piece's memory", () => {
    const buffer = new LineBuffer();
    const piece = Buffer.from("ab");
    buffer.push(piece);
    piece.fill("x");
    expect(decoder.decode(buffer.push(encoder.encode("c\n")))).toBe("abc");
  });
});
