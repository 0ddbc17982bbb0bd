import { anyCharacter } from "@agentprint/testing/text/any-character";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as native from "../src/bytes/node.ts";
import * as portable from "../src/bytes/portable.ts";

describe("the portable implementation answers as the native one", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 12 }),
    fc.string({ unit: anyCharacter }).map((text) => new TextEncoder().encode(text)),
  );

  test("is it UTF-8", () => {
    fc.assert(
      fc.property(bytes, (content) => {
        expect(portable.isUtf8(content)).toBe(native.isUtf8(content));
      }),
    );
  });

  test("where is a byte", () => {
    fc.assert(
      fc.property(bytes, fc.nat(255), fc.nat(12), (content, byte, from) => {
        const view = content.subarray(Math.min(1, content.length));
        expect(portable.indexOfByte(view, byte, from)).toBe(native.indexOfByte(view, byte, from));
        expect(portable.indexOfByte(view, byte)).toBe(native.indexOfByte(view, byte));
      }),
    );
  });
});
