import type { CanonicalJsonErrorCode, ParseJsonOptions } from "@agentprint/canonical-json";
import { locateJson, parseJson } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";
import { rejection } from "./rejection.ts";

type Case = [text: string, line: number, column: number, path: string];

function codeCases(code: CanonicalJsonErrorCode, cases: Case[], options?: ParseJsonOptions): void {
  describe(code, () => {
    test.each(cases)("%j is rejected at line %i, column %i, path %j", (text, line, column, path) => {
      const error = rejection(text, options);
      expect([error.code, error.line, error.column, error.path]).toEqual([code, line, column, path]);
      if (text.isWellFormed()) {
        const fromBytes = rejection(new TextEncoder().encode(text), options);
        expect({ ...fromBytes, message: fromBytes.message }).toEqual({ ...error, message: error.message });
      }
    });
  });
}

codeCases("duplicate-key", [
  ['{"a":1,"a":2}', 1, 8, "/a"],
  ['{"a":1,\r\n  "b":{"c":0,\r\n       "c":0}}', 3, 8, "/b/c"],
  ['[{"a":1},{"b":1,"c":2,"b":3}]', 1, 23, "/1/b"],
  ['{"a":1,"\\u0061":2}', 1, 8, "/a"],
  ['{"":1,"":2}', 1, 7, "/"],
  ['{"a/~b":1,"a/~b":2}', 1, 11, "/a~1~0b"],
  ['{"__proto__":1,"__proto__":2}', 1, 16, "/__proto__"],
  ['{"__proto__":1,"\\u005f_proto__":2}', 1, 16, "/__proto__"],
  ['{"10":1,"9":1,"10":2}', 1, 15, "/10"],
  ['{"😀":{"x":"😀","x":1}}', 1, 17, "/😀/x"],
  ['{"a":1,"a":', 1, 8, "/a"],
]);

codeCases("lone-surrogate", [
  ['["\ud800"]', 1, 3, "/0"],
  ['["\udc00"]', 1, 3, "/0"],
  ['["😀\ud83d😀"]', 1, 5, "/0"],
  ['["\ude00\ud83d"]', 1, 3, "/0"],
  ['{"a":"x\ud83dy"}', 1, 8, "/a"],
  ['{"b":{"\ud800":1}}', 1, 8, "/b"],
  ['["\udc00\udc00"]', 1, 3, "/0"],
  ['["\\udc00\\udc00"]', 1, 3, "/0"],
  ['["\\ud800"]', 1, 3, "/0"],
  ['["\\uDFFF"]', 1, 3, "/0"],
  ['["\\ud83d\\ud83d\\ude00"]', 1, 3, "/0"],
  ['["\\ud83d\\u0041"]', 1, 3, "/0"],
  ['["\\ud83d\\uzzzz"]', 1, 3, "/0"],
  ['["\\\\\\ud800"]', 1, 5, "/0"],
  ['["\ud83d\\ude00"]', 1, 3, "/0"],
  ['["\\ud83d\ude00"]', 1, 3, "/0"],
  ['{"a":1,"\\udead":2}', 1, 9, ""],
]);

codeCases("control-character", [
  ['["\u0000"]', 1, 3, "/0"],
  ['["a\tb"]', 1, 4, "/0"],
  ['[1,\n"a\nb"]', 2, 3, "/1"],
  ['{"\u001f":1}', 1, 3, ""],
]);

codeCases("invalid-escape", [
  ['["\\x41"]', 1, 3, "/0"],
  ["['\\n']".replaceAll("'", '"').replace("n", "N"), 1, 3, "/0"],
  ['["\\u12"]', 1, 3, "/0"],
  ['["\\u12g4"]', 1, 3, "/0"],
  ['["\\U0041"]', 1, 3, "/0"],
  ['{"\\\'":1}', 1, 3, ""],
  ['["\\\u0000"]', 1, 3, "/0"],
]);

codeCases("invalid-number", [
  ["01", 1, 1, ""],
  ["-01", 1, 1, ""],
  ["-", 1, 1, ""],
  ["+1", 1, 1, ""],
  [".5", 1, 1, ""],
  ["1.", 1, 1, ""],
  ["1.e1", 1, 1, ""],
  ["1e", 1, 1, ""],
  ["1e+", 1, 1, ""],
  ["1.2.3", 1, 1, ""],
  ["--1", 1, 1, ""],
  ["0x1F", 1, 1, ""],
  ["1n", 1, 1, ""],
  ["NaN", 1, 1, ""],
  ["Infinity", 1, 1, ""],
  ["-Infinity", 1, 1, ""],
  ['{"a":[0,\n 00]}', 2, 2, "/a/1"],
]);

codeCases("number-overflow", [
  ["1e400", 1, 1, ""],
  ["[0,-1e400]", 1, 4, "/1"],
  ['{"a":1e309}', 1, 6, "/a"],
  ["[1.7976931348623159e308]", 1, 2, "/0"],
]);

codeCases(
  "integer-precision",
  [
    ["9007199254740992", 1, 1, ""],
    ["[-9007199254740992]", 1, 2, "/0"],
    ['{"id":9007199254740993}', 1, 7, "/id"],
    ["[9007199254740993.0]", 1, 2, "/0"],
    ["[1e20]", 1, 2, "/0"],
    ["[1e300]", 1, 2, "/0"],
  ],
  { losslessIntegers: true },
);

codeCases("trailing-data", [
  ["{} x", 1, 4, ""],
  ["1 2", 1, 3, ""],
  ["[]]", 1, 3, ""],
  ["null\n\n,", 3, 1, ""],
  ['"a""b"', 1, 4, ""],
  ["{}\u0000", 1, 3, ""],
  ["1\u00a0", 1, 2, ""],
]);

codeCases("unexpected-end", [
  ["", 1, 1, ""],
  [" \n ", 2, 2, ""],
  ["[", 1, 2, "/0"],
  ["[1", 1, 3, ""],
  ["[1,", 1, 4, "/1"],
  ["{", 1, 2, ""],
  ['{"a"', 1, 5, "/a"],
  ['{"a":', 1, 6, "/a"],
  ['{"a":1', 1, 7, ""],
  ['{"a":1,', 1, 8, ""],
  ['{"a":"b', 1, 8, "/a"],
  ['"a\\', 1, 4, ""],
  ['"a\\u', 1, 5, ""],
  ['"a\\u00e', 1, 8, ""],
  ['{"a":[{"b":[1,2', 1, 16, "/a/0/b"],
]);

codeCases("unexpected-token", [
  ["nul", 1, 1, ""],
  ["True", 1, 1, ""],
  ["undefined", 1, 1, ""],
  ["truefalse", 1, 1, ""],
  ["\u0000", 1, 1, ""],
  [" \u000b1", 1, 2, ""],
  ["[1,]", 1, 4, "/1"],
  ["[,1]", 1, 2, "/0"],
  ["[1 2]", 1, 4, ""],
  ["[1}", 1, 3, ""],
  ["]", 1, 1, ""],
  ["{,}", 1, 2, ""],
  ["{a:1}", 1, 2, ""],
  ["{'a':1}", 1, 2, ""],
  ['{"a":1,}', 1, 8, ""],
  ['{"a" 1}', 1, 6, "/a"],
  ['{"a"::1}', 1, 6, "/a"],
  ['{"a":1;"b":2}', 1, 7, ""],
  ['{"a":1]', 1, 7, ""],
  ["[1] // x".replace("[1] ", ""), 1, 1, ""],
  ["/* x */ 1", 1, 1, ""],
  ["[\ufeff1]", 1, 2, "/0"],
  ["[\u20281]", 1, 2, "/0"],
  ["[😀]", 1, 2, "/0"],
  ["\ud800", 1, 1, ""],
]);

codeCases(
  "too-deep",
  [
    ["[[[]]]", 1, 3, "/0/0"],
    ['{"a":{"b":\n{}}}', 2, 1, "/a/b"],
    ['[1,{"a":[', 1, 9, "/1/a"],
  ],
  { maxDepth: 2 },
);

codeCases("too-deep", [["[]", 1, 1, ""]], { maxDepth: 0 });

codeCases("too-large", [["[1]\n\n", 1, 1, ""]], { maxBytes: 4 });

codeCases("bom", [
  ["\ufeff{}", 1, 1, ""],
  ["\ufeff", 1, 1, ""],
]);

describe("what is accepted", () => {
  test("limits are inclusive", () => {
    expect(parseJson("[[]]", { maxDepth: 2 })).toEqual([[]]);
    expect(parseJson("1", { maxDepth: 0 })).toBe(1);
    expect(parseJson("[1]", { maxBytes: 3 })).toEqual([1]);
    expect(parseJson("[1.7976931348623157e308]")).toEqual([Number.MAX_VALUE]);
    expect(parseJson("[9007199254740991,-9007199254740991,1.0,1e0,0.1,1e-400]", { losslessIntegers: true })).toEqual([
      9007199254740991, -9007199254740991, 1, 1, 0.1, 0,
    ]);
    expect(parseJson("[1e20,9007199254740993]")).toEqual([1e20, 9007199254740992]);
  });

  test("the size of a string is its size in UTF-8", () => {
    const text = '"aé€😀"';
    const size = new TextEncoder().encode(text).length;
    expect(parseJson(text, { maxBytes: size })).toBe("aé€😀");
    expect(rejection(text, { maxBytes: size - 1 }).code).toBe("too-large");
    expect(rejection(new TextEncoder().encode(text), { maxBytes: size - 1 }).code).toBe("too-large");
  });

  test("escaped pairs, noncharacters, DEL and U+FEFF inside strings", () => {
    expect(parseJson('["\\ud83d\\uDE00\\\\","\\ufdd0","\u007f","\ufeff"]')).toEqual([
      "😀\\",
      "\ufdd0",
      "\u007f",
      "\ufeff",
    ]);
  });

  test("line endings count as one line each", () => {
    for (const [text, line] of [
      ["\n\nx", 3],
      ["\r\n\r\nx", 3],
      ["\r\rx", 3],
      ["\n\r\n\rx", 4],
    ] as const) {
      expect([rejection(text).line, rejection(text).column]).toEqual([line, 1]);
    }
    expect(rejection("\r\u000b").position).toEqual({ line: 2, column: 1, offset: 1 });
  });
});

describe("what cannot be used as a limit or a text", () => {
  test.each([{ maxDepth: -1 }, { maxDepth: Number.NaN }, { maxBytes: Number.NaN }, { maxBytes: 2 ** 28 }])(
    "%j",
    (options) => {
      expect(rejection("1", options).code).toBe("invalid-option");
    },
  );

  test.each([
    ["maxDepth", { maxDepth: "9" }],
    ["losslessIntegers", { losslessIntegers: "no" }],
    ["losslessIntegers", { losslessIntegers: null }],
    ["maxdepth", { maxdepth: 1 }],
    ["an object", null],
    ["an object", 9],
  ])("an option of a wrong type or value: %s", (name, options) => {
    const error = rejection("1", options as unknown as ParseJsonOptions);
    expect(error.code).toBe("invalid-option");
    expect(error.message).toContain(name);
    expect(() => locateJson("1", [""], options as unknown as ParseJsonOptions)).toThrow(name);
  });

  test.each([[undefined], [null], [1], [{}], [new Uint16Array(1)], [new ArrayBuffer(1)]])("%o as a text", (text) => {
    expect(rejection(text as unknown as string).code).toBe("invalid-option");
  });
});

describe("messages", () => {
  test("say what was expected, what was received and where", () => {
    expect(rejection('{\n "a": 1,\n "a": 2}').message).toBe(
      'Expected each member name once, received "a" again at line 3, column 2 (at /a)',
    );
    expect(rejection("[1,]").message).toBe('Expected a value, received "]" at line 1, column 4 (at /1)');
    expect(rejection("[").message).toBe("Expected a value, received the end of the text at line 1, column 2 (at /0)");
    expect(rejection("[9007199254740993]", { losslessIntegers: true }).message).toContain("write it as a string");
  });

  test.each([
    '{"\u202e\u2066\u200b\u0085\u{e0041}":1,"\u202e\u2066\u200b\u0085\u{e0041}":2}',
    '{"\u202e":\u202e}',
    '{"\u009b31m":nope}',
    '["\u001b[31m"]',
    "\u001b",
    '["\ud800"]',
    '{"\\u001b\\n":1,"\\u001b\\n":2}',
  ])("never carry a control, bidirectional, format or lone surrogate character: %j", (text) => {
    expect(rejection(text).message).toMatch(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+$/u);
  });

  test.each([0, 1, 2])("do not split a surrogate pair when shortened, shift %i", (shift) => {
    const emoji = `${"x".repeat(shift)}${"😀".repeat(1_000)}`;
    for (const text of [
      `{"${emoji}":1,"${emoji}":2}`,
      `{"${emoji}":nope}`,
      '"\\😀"',
      `"\\u${"1".repeat(shift + 1)}😀"`,
    ]) {
      expect(rejection(text).message).toContain("😀");
      expect(rejection(text).message).not.toContain("\\u{d83d}");
    }
  });

  test("stay short for a long name, word, number or path", () => {
    const long = "x".repeat(100_000);
    const texts = [`{"${long}":1,"${long}":2}`, long, `[${"1".repeat(100_000)}]`, `{"${long}":`, `"\\${long}`];
    for (const text of texts) expect(rejection(text).message.length).toBeLessThan(700);
    expect(rejection(`[${"1".repeat(100_000)}]`).message).toContain("1111… (100000 characters)");
  });
});
