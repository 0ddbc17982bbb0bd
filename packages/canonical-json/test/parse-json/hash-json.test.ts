import { canonicalizeJson, hashCanonical, hashJson, sha256Hex } from "@agentprint/canonical-json";
import { runs } from "@agentprint/testing/property-runs";
import { describe, expect, test } from "vitest";
import { MAX_REWRITTEN_DEPTH, TextRewriter } from "../../src/accelerators/text-rewriter.ts";
import { expectAsPlain, testRewriting } from "./rewriting.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Returns the canonical text if the text is rewritten; `undefined` if the plain reader has to read it. */
function rewritten(text: string, maxDepth = 100, maxNumber = Number.MAX_VALUE): string | undefined {
  const bytes = new TextRewriter().rewrite(utf8(text), maxDepth, maxNumber);
  return bytes && new TextDecoder().decode(bytes);
}

testRewriting(runs(200));

describe("rewritten without an intermediate value", () => {
  test.each([
    ['{ "b": [ 1, true ],\n    "a": null }', '{"a":null,"b":[1,true]}'],
    ['{"b":{"d":1,"c":{}},"a":[[],{"z":0,"y":false}]}', '{"a":[[],{"y":false,"z":0}],"b":{"c":{},"d":1}}'],
    [' "\\/\\u0041\\u00e9\\u20AC\\ud83d\\ude00\\n\\u000a\\u001f\\u0022\\u005c" ', '"/Aé€😀\\n\\n\\u001f\\"\\\\"'],
    [
      "[1.50,-0,1E2,0.000001,0.0000001,123456789012345678,-1.5e-7]",
      "[1.5,0,100,0.000001,1e-7,123456789012345680,-1.5e-7]",
    ],
    ['{"\uffff":1,"😀":2,"\ue000":3}', '{"😀":2,"\ue000":3,"\uffff":1}'],
    [`{"${"b".repeat(300)}":"${"é".repeat(300)}","a":1}`, `{"a":1,"${"b".repeat(300)}":"${"é".repeat(300)}"}`],
  ])("%j", (text, expected) => {
    expect(rewritten(text)).toBe(expected);
    expectAsPlain(text);
  });

  test("more members than are sorted by insertion, and than there was room for", () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `name ${(index * 7919) % 5_000}`);
    const text = JSON.stringify(Object.fromEntries(names.map((name) => [name, { v: name, u: 1 }])));
    expect(rewritten(text)).toBe(canonicalizeJson(text));
    expectAsPlain(text);
  });

  test("text that outgrows the retained memory", () => {
    const text = JSON.stringify({ b: "long ".repeat(600_000), a: [1e21, "é"] }, null, 2);
    expect(rewritten(text)?.length).toBeGreaterThan(2 ** 21);
    expectAsPlain(text);
    expectAsPlain('{"b":1,"a":2}');
  });

  test.each([0, 1, 2, 3])("bytes that start %i bytes into their memory", (start) => {
    const text = '{"name":"value that is long enough","a":[1, 2]}';
    const memory = new Uint8Array(200);
    memory.set(utf8(text), start);
    const bytes = memory.subarray(start, start + utf8(text).length);
    expect(hashJson(bytes)).toBe(hashCanonical(JSON.parse(text)));
    expect(memory.subarray(start + bytes.length).every((byte) => byte === 0)).toBe(true);
  });

  test("canonical text is returned unchanged", () => {
    const bytes = utf8('{"a":[1,"é"],"b":0.5}');
    expect(new TextRewriter().rewrite(bytes, 10, 10)).toBe(bytes);
    expect(hashJson(bytes)).toBe(sha256Hex(bytes));
    expect(canonicalizeJson(bytes)).toBe('{"a":[1,"é"],"b":0.5}');
  });
});

describe("left to the plain reader", () => {
  const deep = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

  test.each([
    "",
    " ",
    "{",
    '{"a"',
    '{"a":1,}',
    '{"a":1 "b"}',
    "{1:1}",
    "[1,]",
    "[1 2]",
    "[",
    "tru",
    "nulll",
    '"a',
    '"\u0000"',
    '"\\x"',
    '"\\ud800"',
    '"\\ud800\\u0041"',
    '"\\udc00"',
    '"\\u00g0"',
    "01",
    "-",
    "1.",
    "1e",
    "1e400",
    ".5",
    "1 1",
    "\ufeff1",
    '{"a":1,"a":1}',
    '{"b":1,"a":1,"b":1}',
    '{"\\u0061":1}',
    `1${"0".repeat(70)}`,
    deep(MAX_REWRITTEN_DEPTH + 1),
    `{"a":${deep(MAX_REWRITTEN_DEPTH)}}`,
  ])("%j", (text) => {
    expect(rewritten(text)).toBeUndefined();
    expectAsPlain(text);
  });

  test("text beyond a limit", () => {
    expect(rewritten("[[1]]", 1)).toBeUndefined();
    expect(rewritten('{"a":{}}', 1)).toBeUndefined();
    expect(rewritten("[9007199254740993]", 10, Number.MAX_SAFE_INTEGER)).toBeUndefined();
    expect(rewritten("[-9007199254740993]", 10, Number.MAX_SAFE_INTEGER)).toBeUndefined();
    expect(rewritten(deep(MAX_REWRITTEN_DEPTH))).toBe(deep(MAX_REWRITTEN_DEPTH));
  });

  test("options that change how a text is read or ordered", () => {
    expect(hashJson('{"a":1,"B":2}', { keyOrder: "locale" })).toBe(
      hashCanonical({ a: 1, B: 2 }, { keyOrder: "locale" }),
    );
    expect(() => hashJson("0.1000000000000000055", { exactNumbers: true })).toThrow(/exact|double/);
    expect(hashJson('"\\ud800"', { tolerate: () => true, profile: "ecmascript" })).toBe(sha256Hex('"\\ud800"'));
    expect(() => hashJson("1", { profile: "none" as never })).toThrow(/profile/);
    expect(() => hashJson("1", { profil: "rfc8785" } as never)).toThrow(/options/);
  });

  test("bytes that another thread can change, and values that are not text", () => {
    const shared = new Uint8Array(new SharedArrayBuffer(2));
    shared.set(utf8("{}"));
    expect(hashJson(shared)).toBe(sha256Hex("{}"));
    expect(() => hashJson(1 as never)).toThrow(/string or Uint8Array/);
    expect(() => hashJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(/UTF-8/);
    expect(() => hashJson("[1]", { maxBytes: 2 })).toThrow(/2 bytes/);
    expect(() => hashJson('"é"', { maxBytes: 3 })).toThrow(/3 bytes/);
  });
});
