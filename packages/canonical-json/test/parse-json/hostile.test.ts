import { parseJson } from "@agentprint/canonical-json";
import { afterEach, describe, expect, test } from "vitest";
import { rejection } from "./rejection.ts";
import { describeSize } from "./size.ts";

describeSize(30_000);

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
