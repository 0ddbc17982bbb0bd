import { CanonicalJsonError, createJsonHasher, hashJson, type JsonHasherOptions } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";
import { TextWindow } from "../../src/stream/text-window.ts";
import { testPieceVectors } from "./piece-vectors.ts";
import { expectPiecesAsPlain, hashedInPieces, hashedPlainly, outcomeOf, SMALL } from "./pieces.ts";

testPieceVectors((suite) => suite !== "canonical-json/deep-and-wide");

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const list = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => item(index)).join(",");
const name = (index: number): string => `"k${String(index).padStart(6, "0")}"`;
const LIMIT = 64 * 1024 * 1024;

function hashed(bytes: Uint8Array, options?: JsonHasherOptions): unknown {
  return outcomeOf(() => {
    const hasher = createJsonHasher(options);
    for (let at = 0; at < bytes.length; at += 50_000) hasher.update(bytes.subarray(at, at + 50_000));
    return hasher.digest();
  });
}

describe("texts longer than the held part", () => {
  test.each([
    ["an array of records", `[${list(9_000, (i) => `{"b":${i},"a":"é${i}","c":1.50}`)}]`],
    ["an object in order", `{${list(9_000, (i) => `${name(i)}: {"b":1, "a":[${i}]}`)}}`],
    ["names with escapes", `[${list(5_000, (i) => `{"\\n":${i},"a":"é${i}"}`)}]`],
    ["names with escapes, in order", `{${list(9_000, (i) => `"\\u006b${String(i).padStart(6, "0")}":[]`)}}`],
    ["arrays in arrays", `${"[".repeat(3_000)}${list(60_000, String)}${"]".repeat(3_000)}`],
    ["arrays in objects", `${'{"a":[1,'.repeat(60)}"${"x".repeat(150_000)}"${"]}".repeat(60)}`],
    ["a string", `["${"é😀\\n\\ud83d\\ude00x\\/".repeat(20_000)}", "b"]`],
    ["a number that is no double, with many digits", `[0.${"1".repeat(140_000)},2]`],
    [
      "white space",
      `[1 ${" ".repeat(150_000)}, {"b":1, "a" ${"\r\n".repeat(100_000)}: 2} ${"\n".repeat(140_000)}] ${"\t".repeat(140_000)}`,
    ],
    ["an error behind line ends", `[${list(9_000, (i) => `{"b":${i},\r\n"a":\r"é${i}"}\n`)},tru]`],
    ["a missing end", `{${list(9_000, (i) => `${name(i)}: {"b":1, "a":[${i}]}`)}`],
    ["a string without an end", `["${"x".repeat(200_000)}`],
    ["a name without an end, and a control character in it", `[${list(40_000, String)},{"${"x".repeat(200)}\n`],
    ["a control character", `["${"x".repeat(200_000)}\n"]`],
    ["text behind the value", `[${list(40_000, String)}] 1`],
    ["a name twice", `{${list(90_000, (i) => `${name(i)}:0`)},${name(89_999)}:1}`],
    ["a missing comma", `[${list(40_000, String)} 1]`],
    ["a missing colon", `{${list(90_000, (i) => `${name(i)}:0`)},"l" 1}`],
    ["too many levels", `[${list(40_000, String)},${"[".repeat(10_000)}`],
  ])("%s", (_name, text) => {
    const bytes = utf8(text);
    expect(hashed(bytes)).toEqual(hashedPlainly(bytes));
    const half = bytes.length >> 1;
    const broken = Buffer.concat([bytes.subarray(0, half), Uint8Array.of(0xe2, 0x82), bytes.subarray(half)]);
    expect(hashed(broken)).toEqual(hashedPlainly(broken));
  });

  test.each([0, 1, 2, 3])("characters of four bytes from byte %i on", (start) => {
    expectPiecesAsPlain(utf8(`${" ".repeat(start)}["${"😀".repeat(60)}","${"€".repeat(60)}"]`), [5, 6, 7]);
  });

  test("an object of a stated size may have its members in any order", () => {
    const bytes = utf8(`[{"b":"${"x".repeat(100_000)}","a":1},2]`);
    expect(hashed(bytes, { maxObjectBytes: 100_100 })).toBe(hashJson(bytes));
    expect(hashed(utf8(`{"z":1,${list(20_000, (i) => `${name(i)}:1`)}}`))).toMatch(/^[\da-f]{64}$/);
  });
});

describe("what cannot be held", () => {
  const unordered = utf8(`[{"z":1,\n${list(90_000, (i) => `${name(i)}:0`)}}]`);

  test("an object with another order of members, which the error places", () => {
    const found = hashed(unordered, { maxObjectBytes: 65_536 });
    expect(found).toMatchObject({ code: "unordered-members", path: "/0/k000000", position: { line: 2, column: 1 } });
    expect(hashed(unordered, { maxObjectBytes: LIMIT / 2 })).toBe(hashJson(unordered));
  });

  test("the message says how the names stand, and how large an object may be", () => {
    const hasher = createJsonHasher({ maxObjectBytes: 65_536 });
    hasher.update(unordered);
    expect(() => hasher.digest()).toThrow(
      /of more than 65536 bytes, received "k000000" behind "z" at line 2, column 1/,
    );
  });

  test.each([
    ["a name", `[{"${"n".repeat(140_000)}":1}]`, 1, 3],
    ["a number", `[\n1${"0".repeat(140_000)}]`, 2, 1],
    [
      "the names of open objects",
      `{"${"n".repeat(70_000)}":{"${"m".repeat(70_000)}":[${list(50_000, String)}]}}`,
      1,
      70_006,
    ],
  ])("%s", (_name, text, line, column) => {
    expect(hashed(utf8(text), { maxObjectBytes: 0 })).toMatchObject({ code: "too-large", position: { line, column } });
  });

  test("a text beyond its limit, at once", () => {
    const hasher = createJsonHasher({ maxBytes: 3 });
    hasher.update(utf8("[1"));
    expect(() => hasher.update(utf8("] "))).toThrow(/at most 3 bytes/);
    expect(() => hasher.digest()).toThrow(/at most 3 bytes/);
  });
});

test.each([
  ["the encoding before a byte order mark", [0xef, 0xbb, 0xbf, 0x31, 0xff], "invalid-utf8"],
  ["a byte order mark before the text", [0xef, 0xbb, 0xbf, 0x78], "bom"],
  ["nothing else after bytes that are ill-formed", [0x5b, 0xff, 0x78, 0xfe], "invalid-utf8"],
])("%s", (_name, bytes, code) => {
  const found = hashedInPieces(Uint8Array.from(bytes), [1, 2, 3], new TextWindow(SMALL, SMALL));
  expect(found).toMatchObject({ code });
  expect(found).toEqual(hashedPlainly(Uint8Array.from(bytes)));
});

test.each([
  ["a digest", "[1]"],
  ["an error", "[1,}"],
])("%s remains the outcome after the text has ended", (_name, text) => {
  const hasher = createJsonHasher();
  hasher.update(utf8(text));
  const outcome = outcomeOf(() => hasher.digest());
  const refused = expect.objectContaining({ name: "CanonicalJsonError", code: "invalid-argument" });
  expect(() => hasher.update(utf8(" "))).toThrow(refused);
  expect(outcomeOf(() => hasher.digest())).toEqual(outcome);
  expect(outcome).toEqual(hashedPlainly(utf8(text)));
});

test.each([
  [{ maxObjectBytes: LIMIT }, /from 0 to 33554432/],
  [{ maxObjectBytes: "1" }, /maxObjectBytes/],
  [{ maxBytes: -1 }, /maxBytes/],
  [{ maxDepth: Number.NaN }, /maxDepth/],
  [{ keyOrder: "locale" }, /options/],
  [null, /an object/],
])("%j is refused as an option", (options, message) => {
  expect(() => createJsonHasher(options as never)).toThrow(message);
});

test("a piece that is not bytes", () => {
  const update = (): void => createJsonHasher().update("[]" as never);
  expect(update).toThrow(CanonicalJsonError);
  expect(update).toThrow(/expected a Uint8Array, received string/);
});
