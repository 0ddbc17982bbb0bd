import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatFragment, formatState, MAX_FRAGMENT, parseFragment, parseState } from "../src/share/fragment.ts";

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const anyText = fc.string({ unit: "binary", maxLength: 50 });

describe("a fragment", () => {
  test("gives back every text, including lone surrogates", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.constant("\ud800 \udc00 \u202e __proto__")), anyText, (first, second) => {
        const shared = { tool: "canonical", state: { first, second } } as const;
        expect(parseFragment(String(formatFragment(shared)))).toEqual(shared);
        expect(parseState(Buffer.from(formatState(shared)))).toEqual(shared);
      }),
    );
  });

  test("opens a tool with empty fields where it has none", () => {
    expect(parseFragment("#canonical")).toEqual({ tool: "canonical", state: { first: "", second: "" } });
    expect(parseFragment("#")).toBeUndefined();
    expect(formatFragment({ tool: "canonical", state: { first: "", second: "" } })).toBe("#canonical");
  });

  test("names a vector by its suite and its id", () => {
    const state = { id: "trail/compute-hash/tr-hash-0001" };
    expect(parseFragment("#vector=trail/compute-hash/tr-hash-0001")).toEqual({ tool: "vector", state });
  });

  test("is not written if it would be too long, and a file holds the same state", () => {
    const shared = { tool: "canonical", state: { first: "é".repeat(MAX_FRAGMENT / 2), second: "" } } as const;
    expect(formatFragment(shared)).toBeUndefined();
    expect(parseState(Buffer.from(formatState(shared)))).toEqual(shared);
  });

  test.each([
    ["another form", "#canonical=a b", /name of a tool/],
    ["a vector's form and another tool", "#text=a/b-1", /name of a tool/],
    ["a path for a vector", "#vector=../b-1", /name of a tool/],
    ["no tool", "#__proto__", /name of a tool/],
    ["a tool of the prototype", "#constructor", /name of a tool/],
    ["no Base64url", "#canonical=a", /Base64url/],
    ["bytes that are no UTF-8", `#canonical=${Buffer.from([0xff]).toString("base64url")}`, /UTF-8/],
    ["no JSON", `#canonical=${Buffer.from("{").toString("base64url")}`, /line 1/],
    ["a list", `#canonical=${encode([])}`, /no object/],
    ["a field that the tool has not", `#canonical=${encode({ third: "" })}`, /received third/],
    ["a polluting field", `#canonical=${Buffer.from('{"__proto__":{}}').toString("base64url")}`, /received __proto__/],
    ["a field that is no text", `#canonical=${encode({ first: 1 })}`, /received first/],
    ["a member twice", `#canonical=${Buffer.from('{"first":"","first":"a"}').toString("base64url")}`, /first/],
  ])("is refused with %s", (_, fragment, message) => {
    expect(() => parseFragment(fragment)).toThrow(
      expect.objectContaining({ code: "malformed-state", message: expect.stringMatching(message) }),
    );
  });

  test("is refused if it is longer than any that the page writes", () => {
    expect(() => parseFragment(`#canonical=${"a".repeat(MAX_FRAGMENT)}`)).toThrow(
      expect.objectContaining({ code: "too-long" }),
    );
  });

  test.each(['{"tool":"canonical"}', '{"state":{}}', '{"tool":"canonical","state":{},"more":1}', "[]", "null", "1"])(
    "a saved state %s is refused",
    (text) => {
      expect(() => parseState(Buffer.from(text))).toThrow(expect.objectContaining({ code: "malformed-state" }));
    },
  );
});
