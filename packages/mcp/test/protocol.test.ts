import type { JsonValue } from "@agentprint/canonical-json/json-value";
import { describe, expect, test } from "vitest";
import {
  eraOf,
  eraOfRequest,
  eraOfSession,
  errorCode,
  ITEM_KINDS,
  ITEMS,
  idKey,
  isEchoOf,
  isHandlingMember,
  isNotification,
  isRequest,
  isResponse,
  isRpcMessage,
  isRpcRequest,
  itemName,
  LEGACY_VERSIONS,
  LISTS,
  listOfMethod,
  META,
  MODERN_VERSIONS,
  readMessage,
  ShapeFault,
  serverInfoOf,
} from "../src/index.ts";

test("a version has the era in which it is spoken", () => {
  expect(MODERN_VERSIONS.map(eraOf)).toEqual(MODERN_VERSIONS.map(() => "modern"));
  expect(LEGACY_VERSIONS.map(eraOf)).toEqual(LEGACY_VERSIONS.map(() => "legacy"));
  expect(eraOf("2020-01-01")).toBeUndefined();
});

test("a session and a request have an era", () => {
  expect(eraOfSession("modern/bare")).toBe("modern");
  expect(eraOfSession("legacy/client")).toBe("legacy");
  expect(eraOfRequest({ params: { _meta: { [META.protocolVersion]: "2026-07-28" } } })).toBe("modern");
  for (const _meta of [null, {}, { [META.protocolVersion]: 1 }]) {
    expect(eraOfRequest({ params: { _meta } })).toBe("legacy");
  }
});

test("each list has a method, and its items have a kind, a list and a name", () => {
  for (const kind of LISTS) {
    expect(listOfMethod(kind.method)).toBe(kind);
    expect(ITEM_KINDS).toContain(kind.item);
    expect(ITEMS[kind.item]).toMatchObject({ list: kind.list, key: kind.key });
    expect(itemName(kind.item, { [kind.key]: "x" })).toBe("x");
  }
  expect(listOfMethod("tools/call")).toBeUndefined();
  expect(itemName("tool", { name: 1 })).toBe("");
});

test("a result says how to handle it and who sent it", () => {
  expect(["ttlMs", "nextCursor", "tools"].map(isHandlingMember)).toEqual([true, true, false]);
  expect(serverInfoOf({ _meta: { [META.serverInfo]: { name: "s" } } })).toEqual({ name: "s" });
  expect([{}, { _meta: 1 }, { _meta: {} }].map(serverInfoOf)).toEqual([undefined, undefined, undefined]);
});

test.each([
  [1, "1", true],
  [0, "", true],
  [-0, "0", true],
  [10, "1e1", true],
  ["a", "A", false],
])("the ids %j and %j are the same for some reader: %s", (one, other, isSame) => {
  expect(idKey(one) === idKey(other)).toBe(isSame);
});

describe("a message of JSON-RPC", () => {
  const base = { jsonrpc: "2.0" };

  test.each([
    { ...base, id: 1, method: "a" },
    { ...base, id: "x", method: "a", params: {} },
    { ...base, method: "a" },
    { ...base, id: 1, result: {} },
    { ...base, id: 1, error: { code: 1, message: "m", data: [] } },
    { ...base, id: null, error: { code: 1, message: "m" } },
    { ...base, error: { code: 1, message: "m" } },
  ])("is %j", (value) => {
    expect(isRpcMessage(value)).toBe(true);
  });

  test.each([
    [],
    null,
    {},
    { id: 1, method: "a" },
    { jsonrpc: "1.0", id: 1, method: "a" },
    { ...base, id: 1.5, method: "a" },
    { ...base, id: null, method: "a" },
    { ...base, id: 1, method: 1 },
    { ...base, id: 1, method: "a", params: [] },
    { ...base, id: 1, method: "a", result: {} },
    { ...base, id: 1, method: "a", other: 1 },
    { ...base, id: 1 },
    { ...base, id: 1, result: [] },
    { ...base, result: {} },
    { ...base, id: 1, result: {}, error: { code: 1, message: "m" } },
    { ...base, id: 1, result: {}, params: {} },
    { ...base, id: 1, error: { code: 1.5, message: "m" } },
    { ...base, id: 1, error: { code: 1 } },
    { ...base, id: 1, error: "no" },
    { ...base, id: {}, error: { code: 1, message: "m" } },
  ])("is not %j", (value) => {
    expect(isRpcMessage(value)).toBe(false);
  });

  test("is a request where it has a method and an id", () => {
    expect(isRpcRequest({ jsonrpc: "2.0", id: 1, method: "a" })).toBe(true);
    expect(isRpcRequest({ jsonrpc: "2.0", method: "a" })).toBe(false);
    expect(isRpcRequest({ jsonrpc: "2.0", id: 1, result: {} })).toBe(false);
  });

  test("has parts, which a reader that keeps ids as they are takes with safe ids only", () => {
    const value = { ...base, id: 2 ** 60, method: "a" };
    expect(isRpcMessage(value)).toBe(true);
    expect(readMessage(value)).toEqual(new ShapeFault("the id of a request is a string or a safe integer"));
    expect(readMessage({ ...value, id: 1 })).toMatchObject({ kind: "request", id: 1, method: "a", params: {} });
    expect(readMessage({ ...base, id: 2 ** 60, result: {} })).toBeInstanceOf(ShapeFault);
  });
});

test("the kind of a value that nobody has read yet is that by which it is answered", () => {
  const kindOf = (value: JsonValue | undefined) =>
    [isRequest, isResponse, isNotification].filter((is) => is(value)).map(({ name }) => name);
  expect(kindOf({ id: 1, method: "a" })).toEqual(["isRequest"]);
  expect(kindOf({ id: "x", result: {} })).toEqual(["isResponse"]);
  expect(kindOf({ method: "a" })).toEqual(["isNotification"]);
  for (const value of [undefined, [], { id: "\ud800", method: "a" }, { id: 2 ** 60 }])
    expect(kindOf(value)).toEqual([]);
  expect([{ error: { code: 7 } }, { error: 7 }, 7].map(errorCode)).toEqual([7, undefined, undefined]);
});

test.each([
  [7, 7, true],
  ["7", 7, true],
  ["a", "a", true],
  ["07", 7, false],
  ["7.0", 7, false],
  [" 7", 7, false],
  [7, "7", false],
  ["1e+21", 1e21, false],
  ["NaN", Number.NaN, false],
] as const)("an answer to %j is one to the request %j: %j", (answered, asked, isOne) => {
  expect(isEchoOf(answered, asked)).toBe(isOne);
});
