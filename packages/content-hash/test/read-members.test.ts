import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readMembers } from "../src/tool/read-members.ts";

const NAMES = new Set(["content", "label"]);

/** Returns the result of `JSON.parse`; `undefined` if it throws or does not return an object. */
function parsed(json: string): object | null | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Generates texts that are JSON, nearly JSON, or not JSON: some characters of a JSON text are dropped, doubled or
 * replaced.
 */
const nearlyJson = fc
  .tuple(
    fc.oneof(
      fc.json(),
      fc.jsonValue().map((value) => JSON.stringify({ content: value, a: [value], "": value }, null, 1)),
      fc.constantFrom(
        "-0.5e+10",
        "0",
        "-",
        "1.",
        ".1",
        "1e",
        "01",
        "-01",
        "1E-2",
        "tru",
        "nul",
        "truefalse",
        "\ufeff{}",
      ),
    ),
    fc.array(
      fc.tuple(
        fc.nat(200),
        fc.constantFrom(
          "",
          '"',
          "\\",
          "{",
          "}",
          "[",
          "]",
          ",",
          ":",
          "0",
          "-",
          ".",
          "e",
          "\t",
          "u",
          "\\u00e9",
          "\u0001",
        ),
      ),
      { maxLength: 2 },
    ),
  )
  .map(([json, edits]) => edits.reduce((text, [at, unit]) => text.slice(0, at) + unit + text.slice(at + 1), json));

describe("readMembers", () => {
  test("accepts exactly what JSON.parse accepts", () => {
    const verdicts = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(nearlyJson, fc.boolean(), (json, wrap) => {
        const text = wrap ? `{"x":${json},"content":${json}}` : json;
        const members = readMembers(text, NAMES);
        const value = parsed(text);
        expect([text, members !== undefined]).toEqual([text, value !== undefined]);
        verdicts[members ? "accepted" : "refused"]++;
        if (wrap && members) expect(JSON.parse(members.get("content") ?? "")).toEqual(JSON.parse(json));
      }),
      { numRuns: runs(500) },
    );
    expect(Math.min(verdicts.accepted, verdicts.refused)).toBeGreaterThan(runs(50));
  });

  test.each([
    ['{"a":1,}', undefined],
    ['{"a"}', undefined],
    ["{a:1}", undefined],
    ['{"a":1', undefined],
    ['{"a":[1,2}', undefined],
    ['{"a":"\\u12g4"}', undefined],
    ['{"a":"\\u12', undefined],
    ['{"a":"\\x"}', undefined],
    ['{"a":"\\', undefined],
    ['{"a":"\n"}', undefined],
    ['{"a":1} 2', undefined],
    ["", undefined],
    ["null", {}],
    [" null\r\n", {}],
    ['{"a":[ ] , "b":{ } , "c":-1.5E+3}', {}],
    ['{"CONTENT" : [1 ,2] , "LaBel":"\\""}', { content: "[1 ,2]", label: '"\\""' }],
    ['{"label":1,"\\u004Cabel":2}', { label: "2" }],
    [`{"${"\\u0020".repeat(100_000)}":1}`, {}],
  ])("%j", (json, expected) => {
    const members = readMembers(json, NAMES);
    expect(members && Object.fromEntries(members)).toEqual(expected);
    expect(members !== undefined).toBe(parsed(json) !== undefined);
  });

  test("a text with a million brackets, or digits, is read in its length", () => {
    const many = 1_000_000;
    expect(readMembers("[".repeat(many), NAMES)).toBeUndefined();
    expect(
      readMembers(`{"a":[${"[],".repeat(many)}1],"content":${"1".repeat(many)}}`, NAMES)?.get("content"),
    ).toHaveLength(many);
  });
});
