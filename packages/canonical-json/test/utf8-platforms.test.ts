import { describe, expect, test } from "vitest";
import * as node from "../src/platform/utf8-node.ts";
import * as portable from "../src/platform/utf8-portable.ts";

describe.each([
  ["Node", node],
  ["other platforms", portable],
])("UTF-8 of %s", (_platform, { allocate, readUtf8, writeUtf8 }) => {
  test.each(["", "plain", "é€😀", "\ufeff mark"])("appends %j to the buffer, and reads all of it", (text) => {
    const expected = Buffer.from(`"${text}`);
    const bytes = allocate(1 + text.length * 3);
    bytes[0] = 0x22;
    const end = 1 + writeUtf8(bytes, text, 1);
    expect(Buffer.from(bytes.subarray(0, end))).toEqual(expected);
    expect(readUtf8(bytes, end, text === "plain")).toBe(`"${text}`);
  });
});
