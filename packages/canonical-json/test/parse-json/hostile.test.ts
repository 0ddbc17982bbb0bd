import { parseJson } from "@agentprint/canonical-json";
import { afterEach, describe, expect, test } from "vitest";
import { rejection } from "./rejection.ts";

const DEEP = 1_000_000;
const ROOMY = { maxBytes: 32 * 1024 * 1024 };

/** Nesting of a parsed value, followed along each container's first value. */
function depthOf(root: unknown): number {
  let depth = 0;
  for (let value = root; typeof value === "object" && value !== null; value = Object.values(value)[0]) depth++;
  return depth;
}

describe("deep nesting", () => {
  const shapes = [
    ["arrays", "[", "]"],
    ["objects", '{"a":', "}"],
    ["both", '[{"a":', "}]"],
  ] as const;

  test.each(shapes)("%s, 1,000,000 levels within a raised limit", (_name, open, close) => {
    const times = DEEP / (open.length > 5 ? 2 : 1);
    const text = `${open.repeat(times)}0${close.repeat(times)}`;
    expect(depthOf(parseJson(text, { maxDepth: DEEP }))).toBe(DEEP);
    expect(rejection(text, { maxDepth: DEEP - 1 }).code).toBe("too-deep");
    expect(rejection(`${text.slice(0, -1)}!`, { maxDepth: DEEP }).code).toBe("unexpected-token");
  });

  test.each(shapes)("%s, unclosed: the default limit stops at level 10,001", (_name, open) => {
    const error = rejection(open.repeat(DEEP));
    expect([error.code, error.path.split("/").length - 1]).toEqual(["too-deep", 10_000]);
    expect(depthOf(parseJson(`${"[".repeat(10_000)}${"]".repeat(10_000)}`))).toBe(10_000);
  });
});

describe("wide and long input takes linear time", () => {
  const wide = (count: number, name: (i: number) => string) =>
    `{${Array.from({ length: count }, (_, i) => `"${name(i)}":${i}`).join(",")}`;

  test.each<[count: number, kind: string, name: (i: number) => string]>([
    [1_000_000, "names", (i) => `k${i}`],
    [200_000, "indexes", String],
    [200_000, "sparse indexes", (i) => String((i * 40_009) % 4_294_967_291)],
    [200_000, "names with a long common prefix", (i) => `${"x".repeat(64)}${i}`],
  ])("%i %s in one object, and the first again at the end", (count, _kind, name) => {
    const text = wide(count, name);
    expect(Object.keys(parseJson(`${text}}`, ROOMY) as object)).toHaveLength(count);
    const error = rejection(`${text},"${name(0)}":0}`, ROOMY);
    expect([error.code, error.path]).toEqual(["duplicate-key", `/${name(0)}`]);
  });

  test("long strings: escapes, backslashes, surrogate pairs, one unclosed", () => {
    const count = 1_000_000;
    for (const [unit, value] of [
      ["\\n", "\n"],
      ["\\\\", "\\"],
      ['\\"', '"'],
      ["\\ud83d\\ude00", "😀"],
      ["😀", "😀"],
    ] as const) {
      expect(parseJson(`"${unit.repeat(count)}"`)).toBe(value.repeat(count));
      expect(rejection(`"${unit.repeat(count)}`).code).toBe("unexpected-end");
    }
    expect(rejection(`"${"x".repeat(8 * count)}\u0000"`).column).toBe(8 * count + 2);
  });

  test("runs of digits, white space and quotes", () => {
    const digits = "1".repeat(10_000_000);
    expect(parseJson(`0.${digits}`)).toBe(0.1111111111111111);
    expect(rejection(digits).code).toBe("number-overflow");
    expect(rejection(`0${digits}`).code).toBe("invalid-number");
    expect(parseJson(`${" \n".repeat(4_000_000)}1`)).toBe(1);
    expect(rejection(`${"\r\n".repeat(4_000_000)}x`).line).toBe(4_000_001);
    expect(rejection('"'.repeat(10_000_001)).code).toBe("trailing-data");
  });

  test("many small objects, and a duplicate in the last", () => {
    const text = `[${'{"a":1,"b":[]},'.repeat(500_000)}`;
    expect(parseJson(`${text}0]`)).toHaveLength(500_001);
    expect(rejection(`${text}{"a":1,"a":1}]`).path).toBe("/500000/a");
  });
});

describe("prototypes", () => {
  const prototype = Object.prototype as unknown as Record<string, unknown>;
  afterEach(() => {
    for (const key of ["polluted", "extra", "guarded"]) delete prototype[key];
  });

  test("__proto__ and its kin are own data", () => {
    const value = parseJson('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":0}');
    expect(Object.keys(value as object)).toEqual(["__proto__", "constructor", "toString"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(prototype["polluted"]).toBeUndefined();
  });

  test("names that every object inherits are no duplicates", () => {
    expect(Object.keys(parseJson('{"hasOwnProperty":1,"valueOf":2,"__defineGetter__":3}') as object)).toHaveLength(3);
  });

  test("an enumerable property on Object.prototype hides no duplicate and invents none", () => {
    prototype["extra"] = 1;
    expect(rejection('{"a":1,"a":2}').code).toBe("duplicate-key");
    expect(rejection("[1e400]").code).toBe("number-overflow");
    expect(JSON.stringify(parseJson('{"a":{"extra":2}}'))).toBe('{"a":{"extra":2}}');
  });

  test("a setter on Object.prototype is never called", () => {
    Object.defineProperty(prototype, "guarded", {
      configurable: true,
      set: () => {
        throw new Error("called");
      },
    });
    expect(Object.keys(parseJson('{"guarded":1}') as object)).toEqual(["guarded"]);
    expect(rejection('{"guarded":1,"guarded":1}').code).toBe("duplicate-key");
  });
});
