import { createHash } from "node:crypto";
import { runInNewContext } from "node:vm";
import { createSha256, sha256Hex } from "@agentprint/canonical-json";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as native from "../src/platform/sha256-node.ts";
import * as portable from "../src/platform/sha256-portable.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** FIPS 180-4 example digests, as published by NIST. */
const KNOWN: readonly [name: string, text: string, digest: string][] = [
  ["empty", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["one block", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  [
    "two blocks",
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  ],
  ["a million letters", "a".repeat(1e6), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
];

test.each<[name: string, data: unknown]>([
  ["a number", 1],
  ["null", null],
  ["nothing", undefined],
  ["an array of numbers", [97]],
  ["other views", new Uint16Array([97])],
  ["an object that calls itself bytes", { [Symbol.toStringTag]: "Uint8Array", length: 1 }],
])("%s where text or bytes are expected is an error with a code", (_name, data) => {
  const invalid = expect.objectContaining({ name: "CanonicalJsonError", code: "invalid-argument", path: "" });
  expect(() => sha256Hex(data as never)).toThrow(invalid);
  expect(() => createSha256().update(data as never)).toThrow(invalid);
});

test("a text where a stream expects bytes is an error with a code, also in a copy of the stream", () => {
  const stream = createSha256();
  stream.update(utf8("a"));
  for (const each of [stream, stream.copy()]) {
    expect(() => each.update("b" as never)).toThrow(
      "update of a SHA-256 stream: expected a Uint8Array, received string (at the root)",
    );
    expect(each.hex()).toBe(sha256Hex("a"));
  }
});

test("bytes of another realm are bytes", () => {
  const bytes: Uint8Array = runInNewContext("new Uint8Array([97])");
  expect(bytes).not.toBeInstanceOf(Uint8Array);
  expect(sha256Hex(bytes)).toBe(sha256Hex("a"));
});

describe.each([
  ["node", native],
  ["portable", portable],
])("sha256 (%s)", (_name, { createSha256, sha256Hex }) => {
  test.each(KNOWN)("%s", (_case, text, digest) => {
    expect(sha256Hex(text)).toBe(digest);
    expect(sha256Hex(utf8(text))).toBe(digest);
    const stream = createSha256();
    for (let i = 0; i < text.length; i += 1000) stream.update(utf8(text.slice(i, i + 1000)));
    expect(stream.hex()).toBe(digest);
  });

  test("equals OpenSSL for any text, on both sides of the one-shot limits", () => {
    const length = fc.oneof(
      fc.nat(300),
      fc.integer({ min: 21_700, max: 21_900 }),
      fc.constantFrom(131_071, 131_072, 131_073),
    );
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), length, (unit, size) => {
        const text = unit.repeat(Math.ceil(size / unit.length));
        expect(sha256Hex(text)).toBe(createHash("sha256").update(text).digest("hex"));
      }),
      { numRuns: runs(40) },
    );
  });

  test("equals OpenSSL for bytes inside of other bytes, at once and in pieces of any size", () => {
    const content = Uint8Array.from({ length: 66_000 }, (_, index) => index * 7);
    const size = fc.oneof(fc.nat(200), fc.integer({ min: 65_400, max: 65_600 }));
    fc.assert(
      fc.property(fc.nat(9), size, fc.array(fc.nat(150)), (offset, length, sizes) => {
        const bytes = content.subarray(offset, offset + length);
        const digest = createHash("sha256").update(bytes).digest("hex");
        expect(sha256Hex(bytes)).toBe(digest);
        const stream = createSha256();
        let start = 0;
        for (const piece of [...sizes, length]) {
          stream.update(bytes.subarray(start, start + piece));
          start += piece;
        }
        expect(stream.hex()).toBe(digest);
      }),
      { numRuns: runs(40) },
    );
  });

  test("hashes a lone surrogate as U+FFFD, as UTF-8 does", () => {
    expect(sha256Hex("\ud800 \udc00")).toBe(sha256Hex("\ufffd \ufffd"));
  });

  test("a copied stream is independent of the original", () => {
    const stream = createSha256();
    stream.update(utf8("common "));
    const branch = stream.copy();
    stream.update(utf8("left"));
    branch.update(utf8("right"));
    expect(stream.hex()).toBe(sha256Hex("common left"));
    expect(branch.hex()).toBe(sha256Hex("common right"));
  });
});
