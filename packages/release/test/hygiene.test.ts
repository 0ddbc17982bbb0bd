import type { JsonObject, JsonValue } from "@agentprint/canonical-json";
import { lockServer } from "@agentprint/mcp-lock";
import { entryOf, tool } from "@agentprint/testing/lock/locked-server";
import { answersOf } from "@agentprint/testing/lock/offer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CLIENT_REFUSALS, costFinding, definitionCost, hygieneFindings, RELEASE_RULES } from "../src/index.ts";

const HINTED = { annotations: { readOnlyHint: true } };
const found = (...tools: readonly JsonObject[]) =>
  hygieneFindings(entryOf(tools)).map(({ rule, place }) => [rule, place.tool, place.pointer].filter(Boolean).join(" "));
const withParameter = (schema: JsonValue, rest: JsonObject = {}): JsonObject =>
  tool("read", { ...HINTED, inputSchema: { type: "object", properties: { order: schema }, ...rest } });

describe("hygiene", () => {
  test("has no note on a tool that does everything right, and only notes otherwise", () => {
    expect(found(tool("read", HINTED))).toEqual([]);
    const all = hygieneFindings(entryOf([tool("a b", { inputSchema: {} })]));
    expect(all.map(({ rule, level }) => [rule, level])).toEqual([
      ["release/tool-name", "note"],
      ["release/no-hints", "note"],
      ["release/client-refuses", "note"],
    ]);
  });

  test("notes tools without any hint", () => {
    expect(found(tool("read", { annotations: { title: "Read" } }))).toEqual(["release/no-hints read"]);
    expect(found(tool("read", { annotations: { openWorldHint: false } }))).toEqual([]);
  });

  test.each(["a".repeat(129), "send mail", "löschen", "a/b", "", "a\n"])("notes the name %j", (name) => {
    expect(found(tool(name, HINTED)).map((each) => each.slice(0, 17))).toEqual(["release/tool-name"]);
  });

  test.each(["getUser", "DATA_EXPORT_v2", "admin.tools.list", "a".repeat(128)])("takes the name %s", (name) => {
    expect(found(tool(name, HINTED))).toEqual([]);
  });
});

describe("values in words", () => {
  test.each([
    ["Either 'asc' or 'desc'", ["asc", "desc"]],
    ["The order: one of `asc`, `desc`, `none`.", ["asc", "desc", "none"]],
    ['"a"|"b"', ["a", "b"]],
    ['Allowed values: "a", "b"', ["a", "b"]],
    ["Reads 'x'. Then 'asc', 'desc', or 'none'", ["asc", "desc", "none"]],
  ])("are listed by %j", (description, values) => {
    const [finding] = hygieneFindings(entryOf([withParameter({ type: "string", description })]));
    expect(finding).toMatchObject({ rule: "release/enum-in-words", after: { enum: values } });
    expect(finding?.place.pointer).toBe("/inputSchema/properties/order");
  });

  test.each([
    "A name such as 'a' or 'b'",
    "For example: 'a', 'b' or 'c'",
    "Replaces 'a' by 'b'",
    "Concerns 'a', 'b'",
    "It's the user's or the group's name",
    "One of 'a'",
    `${"x".repeat(10_000)} either 'a' or 'b'`,
  ])("are not listed by %j", (description) => {
    expect(found(withParameter({ type: "string", description }))).toEqual([]);
  });

  test("are none where the schema restricts the text, or there is no text", () => {
    const description = "Either 'a' or 'b'";
    expect(found(withParameter({ type: "string", description, enum: ["a", "b"] }))).toEqual([]);
    expect(found(withParameter({ type: "string", description, pattern: "^[ab]$" }))).toEqual([]);
    expect(found(withParameter({ type: "array", description }))).toEqual([]);
  });
});

describe("defaults and examples", () => {
  test("that their schema refuses are noted, each at its place", () => {
    const order = { type: "integer", default: "10", examples: [1, "2"] };
    const pointer = "/inputSchema/properties/order";
    expect(found(withParameter(order))).toEqual([
      `release/value-not-valid read ${pointer}/default`,
      `release/value-not-valid read ${pointer}/examples/1`,
    ]);
    const outputSchema = { type: "object", properties: { a: { type: "string", default: 1 } } };
    expect(found(tool("read", { ...HINTED, outputSchema }))).toEqual([
      "release/value-not-valid read /outputSchema/properties/a/default",
    ]);
  });

  test("are judged with the definitions of the document", () => {
    const $defs = { order: { enum: ["asc", "desc"] } };
    const order = (value: string) => withParameter({ $ref: "#/$defs/order", default: value }, { $defs });
    expect(found(order("asc"))).toEqual([]);
    expect(found(order("up"))).toHaveLength(1);
  });

  test("are left alone where nobody can tell", () => {
    expect(found(withParameter({ $ref: "https://example.com/a.json", default: 1 }))).toEqual([]);
    expect(found(withParameter({ type: 1, default: 1 }))).toEqual([]);
    expect(found(withParameter({ format: "email", default: "a" }))).toEqual([]);
    expect(found(withParameter({ type: "string", examples: "a" }))).toEqual([]);
    expect(found(withParameter(true))).toEqual(["release/client-refuses read /inputSchema/properties"]);
  });
});

describe("what official clients refuse", () => {
  test("is noted with the clients and their versions", () => {
    const [finding] = hygieneFindings(entryOf([tool("read", { ...HINTED, outputSchema: { type: "array" } })]));
    expect(finding).toMatchObject({
      rule: "release/client-refuses",
      message: 'official clients expect the type "object" in the output schema',
      place: { tool: "read", pointer: "/outputSchema" },
      note: "the entire list is refused by @modelcontextprotocol/sdk 1.32.2, @modelcontextprotocol/client 2.4.0 (legacy)",
    });
    const dropped = hygieneFindings(entryOf([withParameter({ type: "string", "x-mcp-header": "a b" })]));
    expect(dropped).toMatchObject([
      { note: "the tool is dropped by @modelcontextprotocol/client 2.4.0 (modern)", rule: "release/client-refuses" },
    ]);
  });

  test("is found for any definition without an error", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("inputSchema", "outputSchema"), fc.jsonValue()), (rest) => {
        for (const { find } of CLIENT_REFUSALS) expect(find(rest as JsonObject) ?? "/").toMatch(/^\//);
      }),
    );
  });
});

describe("the cost of definitions", () => {
  const words = { encoding: "words", count: (text: string) => text.split(" ").length };

  test("covers name, description and input schema, and the instructions", () => {
    const entry = lockServer("files", answersOf([tool("read", HINTED)], { instructions: "Read é first" }));
    const { name, description, inputSchema } = tool("read");
    const bytes = JSON.stringify({ name, description, inputSchema }).length;
    expect(definitionCost(entry)).toEqual({
      bytes: bytes + 13,
      instructions: { bytes: 13 },
      tools: { read: { bytes } },
    });
    expect(definitionCost(entry, words)).toMatchObject({ encoding: "words", tokens: 11, instructions: { tokens: 3 } });
  });

  test("is compared with the release before, tool by tool, the costliest first", () => {
    const before = definitionCost(entryOf([tool("read"), tool("list")]), words);
    const description = "Reads one file and returns its whole text at once";
    const after = definitionCost(entryOf([tool("a"), tool("read", { description }), tool("list")]), words);
    expect(costFinding("files", after, before)).toEqual({
      rule: "release/context-cost",
      level: "note",
      message: "the definitions take 527 bytes, 27 tokens of words of a model's context, 10 more than before",
      place: { subject: "files", server: "files" },
      note: "Tokens by tool: read 10, 2 more than before; a 8, new; list 8",
    });
    expect(costFinding("files", before, after).message).toContain("10 fewer than before");
  });

  test("without tokens and a release before is one of bytes, with at most 20 tools in words", () => {
    const tools = Array.from({ length: 22 }, (_, index) => tool(`read_${index}`));
    const { message, note } = costFinding("files", definitionCost(entryOf(tools)), undefined);
    expect(message).toMatch(/^the definitions take \d+ bytes of a model's context$/);
    expect(note).toMatch(/^Bytes by tool: read_10 \d+; .*; and 2 more$/);
    expect(costFinding("files", definitionCost(entryOf([])), undefined).note).toBeUndefined();
  });
});

test("every rule of hygiene is a note", () => {
  const { "release/version-too-small": _version, "release/snapshot-differs": _snapshot, ...others } = RELEASE_RULES;
  expect(new Set(Object.values(others).map(({ level }) => level))).toEqual(new Set(["note"]));
});
