import { expect, test } from "vitest";
import * as native from "../../src/platform/sha256-node.ts";
import * as portable from "../../src/platform/sha256-portable.ts";

test("the portable SHA-256 writes a length of more than 32 bits, as OpenSSL does", () => {
  const piece = new Uint8Array(2 ** 20).fill(7);
  const [stream, expected] = [portable.createSha256(), native.createSha256()];
  for (let bytes = 0; bytes <= 2 ** 29; bytes += piece.length) {
    stream.update(piece);
    expected.update(piece);
  }
  expect(stream.hex()).toBe(expected.hex());
});
