import {
  type CanonicalizeOptions,
  CanonicalJsonError,
  canonicalize,
  canonicalizeJson,
  canonicalizeToBytes,
  hashCanonical,
  parseCanonical,
  parseJson,
  precanonicalize,
} from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";

const ecmascript = { profile: "ecmascript" } as const;

/** Returns the code and path of the error that canonicalizing throws. */
function failure(value: unknown, options?: CanonicalizeOptions): [code: string, path: string] {
  try {
    canonicalize(value, options);
  } catch (error) {
    if (error instanceof CanonicalJsonError) return [error.code, error.path];
    throw error;
  }
  throw new Error("no error was thrown");
}

const REJECTED_BY_BOTH: readonly [name: string, value: unknown, code: string, path: string][] = [
  ["bigint", { a: [0, 1n] }, "bigint", "/a/1"],
  ["wrapped bigint", { a: Object(1n) }, "bigint", "/a"],
  ["undefined at the top", undefined, "undefined", ""],
  ["Map", { a: new Map() }, "opaque-object", "/a"],
  ["Set", [new Set()], "opaque-object", "/0"],
  ["WeakMap", new WeakMap(), "opaque-object", ""],
  ["WeakSet", new WeakSet(), "opaque-object", ""],
  ["WeakRef", new WeakRef({}), "opaque-object", ""],
  ["RegExp", { "a/b~c": /x/ }, "opaque-object", "/a~1b~0c"],
  ["Error", new RangeError("x"), "opaque-object", ""],
  ["Promise", { p: Promise.resolve() }, "opaque-object", "/p"],
  ["ArrayBuffer", new ArrayBuffer(1), "opaque-object", ""],
  ["SharedArrayBuffer", new SharedArrayBuffer(1), "opaque-object", ""],
  ["DataView", new DataView(new ArrayBuffer(1)), "opaque-object", ""],
  ["typed array", { a: new Uint8Array(1) }, "opaque-object", "/a"],
  [
    "subclass that hides its tag",
    new (class extends Map {
      override get [Symbol.toStringTag]() {
        return "Mine";
      }
    })(),
    "opaque-object",
    "",
  ],
];

describe.each(["rfc8785", "ecmascript"] as const)("both profiles: %s", (profile) => {
  test.each(REJECTED_BY_BOTH)("rejects %s", (_name, value, code, path) => {
    expect(failure(value, { profile })).toEqual([code, path]);
  });

  test("omits undefined properties, keeps shared references, honours toJSON with its key", () => {
    const shared = { z: 1 };
    const keyed = { toJSON: (key: string) => `key ${key}` };
    const value = { b: undefined, c: shared, a: shared, k: keyed, l: [keyed], d: new Date(0) };
    expect(canonicalize(value, { profile })).toBe(
      '{"a":{"z":1},"c":{"z":1},"d":"1970-01-01T00:00:00.000Z","k":"key k","l":["key 0"]}',
    );
    expect(canonicalize(keyed, { profile })).toBe('"key "');
  });

  test("unwraps wrapper objects and follows toJSON of functions and bigints as JSON.stringify does", () => {
    const callable = Object.assign(() => 1, { toJSON: () => "function" });
    expect(canonicalize([Object("s"), Object(1.5), Object(false), callable], { profile })).toBe(
      '["s",1.5,false,"function"]',
    );
  });

  test("takes class instances, null prototypes and own __proto__ keys as data", () => {
    class Point {
      y = 2;
      x = 1;
    }
    const bare = Object.assign(Object.create(null) as object, { k: new Point() });
    const own = JSON.parse('{"__proto__":{"b":1,"a":2}}') as unknown;
    expect(canonicalize([bare, own], { profile })).toBe('[{"k":{"x":1,"y":2}},{"__proto__":{"a":2,"b":1}}]');
  });

  test("writes -0 as 0 and orders integer-like keys as text", () => {
    expect(canonicalize({ 9: -0, 10: [-0, 1], "": 0 }, { profile })).toBe('{"":0,"10":[0,1],"9":0}');
  });
});

describe("rfc8785", () => {
  test.each([
    ["NaN", { a: Number.NaN }, "non-finite", "/a"],
    ["Infinity in a run of numbers", [1, 2, 3, 4, 5, 6, 7, 8, 9, Number.POSITIVE_INFINITY], "non-finite", "/9"],
    ["function property", { f: () => 1 }, "function", "/f"],
    ["symbol in an array", [Symbol("s")], "symbol", "/0"],
    ["function at the top", () => 1, "function", ""],
    ["undefined in an array", [1, undefined], "undefined", "/1"],
    ["hole", new Array(1), "undefined", "/0"],
    ["lone high surrogate", { a: "\ud800" }, "lone-surrogate", "/a"],
    ["lone low surrogate in a long text", { a: `${"x".repeat(50)}\udc00` }, "lone-surrogate", "/a"],
    ["lone surrogate in a very long text", `${"é".repeat(40_000)}\ud83d`, "lone-surrogate", ""],
    ["lone surrogate in a key", { k: { "\udfff": 1 } }, "lone-surrogate", "/k/\udfff"],
    ["lone surrogate in a long key", { [`${"k".repeat(30)}\ud800`]: 1 }, "lone-surrogate", `/${"k".repeat(30)}\ud800`],
  ])("rejects %s", (_name, value, code, path) => {
    expect(failure(value)).toEqual([code, path]);
  });
});

describe("ecmascript", () => {
  test("writes what JSON.stringify writes", () => {
    const value = {
      n: [Number.NaN, Number.NEGATIVE_INFINITY],
      u: [undefined, () => 1, Symbol("s")],
      f: () => 1,
      s: Symbol("s"),
    };
    expect(canonicalize(value, ecmascript)).toBe('{"n":[null,null],"u":[null,null,null]}');
    expect(canonicalize({ "\ud800": "a\udc00b" }, ecmascript)).toBe('{"\\ud800":"a\\udc00b"}');
    expect(canonicalize(`${"é".repeat(16_383)}😀\ud83d`, ecmascript)).toBe(`"${"é".repeat(16_383)}😀\\ud83d"`);
  });

  test.each([
    ["function", () => 1],
    ["symbol", Symbol("s")],
  ])("rejects a top-level %s", (_name, value) => {
    expect(failure(value, ecmascript)).toEqual(["undefined", ""]);
  });

  test("throws a TypeError that names BigInt, as JSON.stringify does", () => {
    expect(() => canonicalize(1n, ecmascript)).toThrow(TypeError);
    expect(() => canonicalize(1n, ecmascript)).toThrow(/BigInt/);
  });
});

describe("key order locale", () => {
  const locale = { keyOrder: "locale" } as const;

  test("puts array indexes first and ascending, then collates", () => {
    const value = { userId: 1, user_id: 2, userid: 3, 10: 4, 9: 5, 4294967295: 6, 4294967294: 7, "01": 8 };
    expect(canonicalize(value, locale)).toBe(
      '{"9":5,"10":4,"4294967294":7,"01":8,"4294967295":6,"user_id":2,"userid":3,"userId":1}',
    );
  });

  test("keeps insertion order between keys that collate as equal", () => {
    expect(canonicalize(JSON.parse('{"\\u00e9":1,"e\\u0301":2}'), locale)).toBe('{"é":1,"e\u0301":2}');
    expect(canonicalize(JSON.parse('{"e\\u0301":2,"\\u00e9":1}'), locale)).toBe('{"e\u0301":2,"é":1}');
  });
});

describe("options", () => {
  test.each([
    ['profile: expected "rfc8785" or "ecmascript", received "jcs"', { profile: "jcs" }],
    ["profile", { profile: null }],
    ["received a value of type object", { profile: Object.create(null) as unknown }],
    ["profile", { profile: Symbol("ecmascript") }],
    ["keyOrder", { keyOrder: "utf8" }],
    ["maxDepth", { maxDepth: -1 }],
    ["maxDepth", { maxDepth: Number.NaN }],
    ["keyorder", { keyorder: "locale" }],
    ["Profile", { Profile: undefined }],
    ["0", ["ecmascript"]],
    ["options: expected an object, received null", null],
    ["an object", "ecmascript"],
    ["an object", 0],
    ["an object", () => "ecmascript"],
  ])("a wrong %s is refused, never ignored", (name, wrong) => {
    const options = wrong as unknown as CanonicalizeOptions;
    for (const job of [canonicalize, canonicalizeToBytes, hashCanonical, precanonicalize, parseCanonical]) {
      const call = () => job("1", options);
      expect(call).toThrow(expect.objectContaining({ code: "invalid-option", path: "" }));
      expect(call).toThrow(name);
    }
  });

  test("of other functions may stand in the same object", () => {
    const options = {
      profile: "ecmascript",
      keyOrder: "locale",
      maxDepth: 1,
      losslessIntegers: true,
      maxBytes: 9,
    } as const;
    expect(canonicalize([1], options)).toBe("[1]");
    expect(parseJson("[1]", options)).toEqual([1]);
    expect(canonicalizeJson("[1]", options)).toBe("[1]");
  });

  test("maxDepth counts containers", () => {
    expect(canonicalize([[1]], { maxDepth: 2 })).toBe("[[1]]");
    expect(failure({ a: [{}] }, { maxDepth: 2 })).toEqual(["too-deep", "/a/0"]);
    expect(failure([], { maxDepth: 0 })).toEqual(["too-deep", ""]);
  });
});

test("bytes are a fresh copy of the UTF-8 text", () => {
  const first = canonicalizeToBytes({ é: "😀" });
  const second = canonicalizeToBytes([1]);
  expect(Object.getPrototypeOf(first)).toBe(Uint8Array.prototype);
  expect(new TextDecoder().decode(first)).toBe('{"é":"😀"}');
  expect(new TextDecoder().decode(second)).toBe("[1]");
});

test("the output of a failed call does not leak into later texts", () => {
  const long = "字".repeat(40);
  expect(failure([long, { [long]: long }, 1n])[0]).toBe("bigint");
  expect(canonicalize({ a: long, [long]: "b" })).toBe(`{"a":"${long}","${long}":"b"}`);
  expect(failure([long, `${long}\ud800`])).toEqual(["lone-surrogate", "/1"]);
  expect(canonicalize([`${long}\ud800`, long], { profile: "ecmascript" })).toBe(`["${long}\\ud800","${long}"]`);
});

test("an error's message shows no control character of a hostile key", () => {
  expect(() => canonicalize({ "\u001b[31m\u202e\nkey": 1n })).toThrow(/at \/\\u\{1b\}\[31m\\u\{202e\}\\u\{a\}key/);
});
