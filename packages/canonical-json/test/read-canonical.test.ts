import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalize, type JsonValue, parseJson } from "../src/index.ts";
import { readCanonical } from "../src/json-value/index.ts";

const name = fc.oneof(fc.string(), fc.constantFrom("__proto__", "", '"', "\\", '\\"', "\n", "{", "],", "\u0000"));
const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, true, false, 0, -1.5, 1e21, 5e-324),
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    name,
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(name, tie("json"), { maxKeys: 4 }),
  ),
}));

describe("canonical text", () => {
  test("has the value that the strict parser reads", () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalize(value);
        const read = readCanonical(text);
        expect(read).toEqual(parseJson(text));
        expect(canonicalize(read)).toBe(text);
      }),
    );
  });

  test("keeps a member __proto__ next to a name with an escape", () => {
    const text = '{"\\n":[{}],"__proto__":{"a":[]}}';
    expect(Object.entries(readCanonical(text) as object)).toEqual([
      ["\n", [{}]],
      ["__proto__", { a: [] }],
    ]);
  });

  test.each(["", "x".repeat(1 << 20)])("reads a long text of escapes and plain text (%#)", (plain) => {
    const value = { [`\\${plain}`]: ["\\".repeat(1 << 16), plain, "\n"] };
    expect(readCanonical(canonicalize(value))).toEqual(value);
  });
});
