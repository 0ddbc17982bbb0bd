import { expect, test } from "vitest";
import { deepFreeze } from "../../src/json-value/deep-freeze.ts";

test("freezes the value itself and every array and object in it, and returns it", () => {
  const deepest = { of: [] };
  const value = { text: "a", none: null, missing: undefined, list: [1, [deepest]] };
  expect(deepFreeze(value)).toBe(value);
  for (const part of [value, value.list, value.list[1], deepest, deepest.of]) expect(part).toSatisfy(Object.isFrozen);
});

test("freezes a cycle, and looks once at what stands in many places", () => {
  const cycle: { self?: object } = {};
  cycle.self = cycle;
  expect(deepFreeze(cycle)).toSatisfy(Object.isFrozen);
  let shared: object = {};
  for (let level = 0; level < 100; level++) shared = { left: shared, right: shared };
  expect(deepFreeze(shared)).toSatisfy(Object.isFrozen);
});

test("leaves functions as they are", () => {
  const call = (): void => undefined;
  deepFreeze({ call });
  expect(Object.isFrozen(call)).toBe(false);
});

test.each([null, "text", 1, undefined])("returns %j", (value) => {
  expect(deepFreeze(value)).toBe(value);
});
