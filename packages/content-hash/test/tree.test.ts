import { anyCharacter } from "@agentprint/testing/text/any-character";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ContentHashError,
  createTreeManifest,
  formatTreeManifest,
  NORMALIZATION_LEVELS,
  parseTreeManifest,
  type TreeEntry,
} from "../src/index.ts";

const SHA256 = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";
/** The invisible characters, according to this Node's Unicode data. */
const INVISIBLE =
  /(?![ \n])[\p{Cc}\p{Cf}\p{Co}\p{Z}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;
const entry: TreeEntry = { sha256: SHA256, as: "whitespace" };

describe("the manifest of a tree", () => {
  test("is read back as it was written, whatever the paths are, and has nothing invisible", () => {
    const path = fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom("__proto__", "1", "a\u202eb", 'a"\n\\'));
    const digest = fc.constantFrom(SHA256, "0".repeat(64));
    const kind = fc.constantFrom(...NORMALIZATION_LEVELS, "symlink" as const);
    const files = fc.dictionary(path, fc.record({ sha256: digest, as: kind }, { noNullPrototype: true }), {
      maxKeys: 6,
    });
    fc.assert(
      fc.property(fc.constantFrom(...NORMALIZATION_LEVELS), files, (level, listed) => {
        const manifest = createTreeManifest(level, listed);
        const text = formatTreeManifest(manifest);
        expect(parseTreeManifest(text)).toEqual(manifest);
        expect(parseTreeManifest(new TextEncoder().encode(text))).toEqual(manifest);
        expect(text).not.toMatch(INVISIBLE);
      }),
    );
  });

  test("is one line a file", () => {
    const { digest, ...rest } = createTreeManifest("whitespace", { "a.ts": entry, "lib/b.ts": entry });
    expect(formatTreeManifest({ ...rest, digest })).toBe(
      `{
  "version": 1,
  "level": "whitespace",
  "digest": "${digest}",
  "files": {
    "a.ts": {"sha256":"${SHA256}","as":"whitespace"},
    "lib/b.ts": {"sha256":"${SHA256}","as":"whitespace"}
  }
}
`,
    );
  });
});

describe("a refused manifest says where and why", () => {
  const text = formatTreeManifest(createTreeManifest("whitespace", { "a/b.ts": entry }));

  test.each([
    [text.replace(`"as":"whitespace"`, `"as":"\\u202espaces"`), /at "\/files\/a~1b\.ts\/as": .*"\\u\{202e\}spaces"/],
    [
      text.replace(SHA256, "A"),
      /at "\/files\/a~1b\.ts\/sha256": expected 64 lowercase hexadecimal digits; received "A"/,
    ],
    [
      text.replace(`"as":"whitespace"`, `"size":1`),
      /at "\/files\/a~1b\.ts": expected no members except sha256, as; received "size"/,
    ],
    [text.replace(/"files": \{.*/s, `"files": null}`), /at "\/files": expected an object; received null/],
    [text.replace(`"version": 1`, `"version": 2`), /at "\/version": expected 1; received number/],
    [
      text.replace("a/b.ts", "c.ts"),
      /at "\/digest": expected [0-9a-f]{64}, the digest of its level and files; received "/,
    ],
    ["[]", /at "": expected an object; received array/],
    ["{", /is not JSON: .*line 1/],
    [1 as never, /is not JSON: .*string or Uint8Array/],
  ])("%#", (edited, message) => {
    expect(() => parseTreeManifest(edited)).toThrow(
      expect.objectContaining({
        constructor: ContentHashError,
        code: "INVALID_TREE",
        message: expect.stringMatching(message),
      }),
    );
  });
});
