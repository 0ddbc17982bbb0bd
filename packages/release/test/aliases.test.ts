import { describe, expect, test } from "vitest";
import { parseAliases } from "../src/index.ts";

describe("declared renames", () => {
  test("are read with every name", () => {
    expect(parseAliases('{ "tools": { "read": "read_file", "constructor": "make" } }')).toEqual(
      new Map([
        ["read", "read_file"],
        ["constructor", "make"],
      ]),
    );
    expect(parseAliases("{}").size).toBe(0);
  });

  test.each([
    ["[]", ""],
    ['{"tools": []}', "/tools"],
    ['{"tools": {"a": 1}}', "/tools/a"],
    ['{"tools": {"a/b": ""}}', "/tools/a~1b"],
    ['{"tools": {"a": "a"}}', "/tools/a"],
    ['{"prompts": {}}', "/prompts"],
    ['{"tools": {}, "tools": {}}', ""],
    ["{", ""],
    [`{"tools": {"a": "${"b".repeat(1024 * 1024)}"}}`, ""],
  ])("%.40s is none", (text, path) => {
    expect(() => parseAliases(text)).toThrow(expect.objectContaining({ code: "invalid-aliases", path }));
  });
});
