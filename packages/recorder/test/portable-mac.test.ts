import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { macWith } from "../src/platform/mac-portable.ts";

test("the MAC of browsers is that of Node", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 32, maxLength: 200 }),
      fc.string({ unit: "grapheme" }),
      (secret, message) => {
        expect(macWith(secret)(message)).toBe(createHmac("sha256", secret).update(message, "utf8").digest("hex"));
      },
    ),
  );
});
