import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { macWith as macOfNode } from "../src/platform/mac-node.ts";
import { macWith as macOfBrowsers } from "../src/platform/mac-portable.ts";

test.each([
  ["Node", macOfNode],
  ["browsers", macOfBrowsers],
])("the MAC of %s is HMAC-SHA-256, whatever the lengths are", (_, macWith) => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 32, maxLength: 200 }),
      fc.array(fc.tuple(fc.string({ unit: "grapheme" }), fc.constantFrom(1, 1000))),
      (secret, parts) => {
        const mac = macWith(secret);
        for (const message of ["", ...parts.map(([part, times]) => part.repeat(times))]) {
          expect(mac(message)).toBe(createHmac("sha256", secret).update(message, "utf8").digest("hex"));
        }
      },
    ),
  );
});
