import { anyCharacter } from "@agentprint/testing/text/any-character";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeHeaderValue } from "../src/headers/header-value.ts";
import {
  decodeHeaderValue,
  mirroredHeaders,
  nameMember,
  paramHeaders,
  readParamHeaders,
} from "../src/headers/index.ts";
import { META, type RpcMessage } from "../src/index.ts";

describe("the header of a value", () => {
  // The table in the specification ("Value Encoding").
  test.each([
    ["us-west1", "us-west1"],
    ["Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
    [" padded ", "=?base64?IHBhZGRlZCA=?="],
    ["line1\nline2", "=?base64?bGluZTEKbGluZTI=?="],
    ["=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="],
    ["", ""],
  ])("of %j is %j", (value, header) => {
    expect(encodeHeaderValue(value)).toBe(header);
  });

  test("can be sent and read back, whatever the value", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter }).filter((text) => text.isWellFormed()),
        (value) => {
          const sent = new Headers({ "mcp-name": encodeHeaderValue(value) }).get("mcp-name") ?? "";
          expect(decodeHeaderValue(sent)).toBe(value);
        },
      ),
    );
  });

  test.each([["é"], ["=?base64?!?="], ["=?base64?/w==?="], ["a\nb"]])("is not what %j carries", (text) => {
    expect(decodeHeaderValue(text)).toBeUndefined();
  });
});

describe("the annotations of a tool", () => {
  const read = (inputSchema: object) => readParamHeaders({ name: "t", inputSchema } as never);
  const string = (name: unknown) => ({ type: "string", "x-mcp-header": name });

  test("name headers for parameters that only `properties` leads to", () => {
    expect(
      read({
        properties: { b: { properties: { a: string("B") } }, a: string("A"), "x-mcp-header": { type: "string" } },
      }),
    ).toEqual({
      headers: [
        { name: "A", path: ["a"] },
        { name: "B", path: ["b", "a"] },
      ],
    });
    expect(read({ properties: { a: { default: { "x-mcp-header": "no" }, enum: [{ "x-mcp-header": "" }] } } })).toEqual({
      headers: [],
    });
    expect(readParamHeaders({ name: "t" })).toEqual({ headers: [] });
  });

  test.each([
    { name: "empty", schema: { properties: { a: string("") } } },
    { name: "no token", schema: { properties: { a: string("a b") } } },
    { name: "a line break", schema: { properties: { a: string("a\n") } } },
    { name: "no string", schema: { properties: { a: string(1) } } },
    { name: "twice", schema: { properties: { a: string("Same"), b: string("same") } } },
    { name: "number", schema: { properties: { a: { type: "number", "x-mcp-header": "A" } } } },
    { name: "object", schema: { properties: { a: { type: "object", "x-mcp-header": "A" } } } },
    { name: "several types", schema: { properties: { a: { type: ["string"], "x-mcp-header": "A" } } } },
    { name: "items", schema: { properties: { a: { items: string("A") } } } },
    { name: "anyOf", schema: { anyOf: [{ properties: { a: string("A") } }] } },
    { name: "not", schema: { not: { properties: { a: string("A") } } } },
    { name: "if", schema: { if: { properties: { a: string("A") } } } },
    { name: "$defs", schema: { $defs: { x: string("A") } } },
    { name: "patternProperties", schema: { patternProperties: { "^a": string("A") } } },
    { name: "additionalProperties", schema: { additionalProperties: string("A") } },
    { name: "root", schema: string("A") },
  ])("make it one that clients drop: $name", ({ schema }) => {
    expect(read(schema)).toEqual({ invalid: expect.stringContaining("x-mcp-header") });
  });
});

test("a call repeats the marked parameters that have a value", () => {
  const headers = ["region", "size", "dry", "gone", "big"].map((name) => ({ name, path: ["deep", name] }));
  const args = { deep: { region: "Zürich", size: 42, dry: false, gone: null, big: 2 ** 60 } };
  expect(paramHeaders(headers, args)).toEqual({
    "mcp-param-region": `=?base64?${Buffer.from("Zürich").toString("base64")}?=`,
    "mcp-param-size": "42",
    "mcp-param-dry": "false",
  });
  expect(paramHeaders(headers, undefined)).toEqual({});
});

describe("the headers that repeat a message", () => {
  const call = (method: string, params: object): RpcMessage => ({
    jsonrpc: "2.0",
    id: 1,
    method,
    params: { ...params, _meta: { [META.protocolVersion]: "2026-07-28" } },
  });
  const base = { "mcp-protocol-version": "2026-07-28" };

  test.each([
    ["tools/call", { name: "query" }, { "mcp-name": "query" }],
    ["resources/read", { uri: "file:///é" }, { "mcp-name": "=?base64?ZmlsZTovLy/DqQ==?=" }],
    ["tasks/get", { taskId: "7" }, { "mcp-name": "7" }],
    ["tools/list", { name: "query" }, {}],
    ["prompts/get", {}, {}],
  ])("of %s", (method, params, named) => {
    expect(mirroredHeaders(call(method, params))).toEqual({ ...base, "mcp-method": method, ...named });
  });

  test("have a name for the methods that are about one thing", () => {
    expect(["tools/call", "resources/read", "tasks/cancel", "tools/list"].map(nameMember)).toEqual([
      "name",
      "uri",
      "taskId",
      undefined,
    ]);
  });

  test("are none for an answer and for a version with a handshake", () => {
    expect(mirroredHeaders({ jsonrpc: "2.0", id: 1, result: {} })).toEqual({});
    expect(mirroredHeaders({ jsonrpc: "2.0", id: 1, method: "tools/list" })).toEqual({});
  });
});
