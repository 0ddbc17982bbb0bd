import { sha256Hex } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";
import * as native from "../src/sha256/node.ts";
import * as portable from "../src/sha256/portable.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe.each([
  ["node", native.createSha256],
  ["portable", portable.createSha256],
])("a copied %s stream", (_name, createSha256) => {
  test("goes its own way", () => {
    const stream = createSha256();
    stream.update(bytes("common "));
    const branch = stream.copy();
    stream.update(bytes("left"));
    branch.update(bytes("right"));
    expect(stream.hex()).toBe(sha256Hex("common left"));
    expect(branch.hex()).toBe(sha256Hex("common right"));
  });
});
