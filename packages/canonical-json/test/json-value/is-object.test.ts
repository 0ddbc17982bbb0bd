import { isJsonObject, isObject, ownMember, setOwnMember, typeName } from "@agentprint/canonical-json/json-value";
import { describe, expect, test } from "vitest";

class Reader {}

describe("isObject, isJsonObject and typeName", () => {
  test.each<[string, unknown, boolean, string]>([
    ["an object", {}, true, "object"],
    ["an object without prototype", Object.create(null), true, "object"],
    ["an instance", new Reader(), true, "object"],
    ["an array", [], false, "array"],
    ["null", null, false, "null"],
    ["undefined", undefined, false, "undefined"],
    ["a text", "{}", false, "string"],
    ["a function", Reader, false, "function"],
  ])("%s", (_what, value, expected, name) => {
    expect([isObject(value), isJsonObject(value), typeName(value)]).toEqual([expected, expected, name]);
  });
});

describe("members with the names of Object.prototype", () => {
  test.each(["__proto__", "constructor", "toString"])("%s is absent until it is set", (name) => {
    const object: Record<string, unknown> = {};
    expect(ownMember(object, name)).toBe(undefined);
    setOwnMember(object, name, 1);
    expect(ownMember(object, name)).toBe(1);
    expect(JSON.stringify(object)).toBe(`{"${name}":1}`);
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
  });

  test("a member that was set can be changed and removed", () => {
    const object: Record<string, unknown> = {};
    setOwnMember(object, "__proto__", 1);
    setOwnMember(object, "__proto__", 2);
    expect(ownMember(object, "__proto__")).toBe(2);
    expect(Reflect.deleteProperty(object, "__proto__")).toBe(true);
  });
});
