import type { JsonObject, JsonValue } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";
import { fingerprintTool, ToolPinsError } from "../src/index.ts";

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

function nested(depth: number, keyword: string): JsonObject {
  let schema: JsonObject = { description: "bottom" };
  for (let level = 0; level < depth; level++) schema = { [keyword]: schema };
  return schema;
}

describe("fingerprintTool", () => {
  test.each<[string, unknown, string]>([
    ["null", null, ""],
    ["a list", [], ""],
    ["a string", "tool", ""],
    ["nothing", undefined, ""],
    ["a lone surrogate in a value", JSON.parse('{"description":"\\ud800"}'), "/description"],
    [
      "a lone surrogate in a name",
      JSON.parse('{"inputSchema":{"properties":{"\\udc00":{}}}}'),
      "/inputSchema/properties",
    ],
    ["a number that JSON has not", { default: Number.NaN }, "/default"],
    ["a map", { inputSchema: new Map() }, "/inputSchema"],
  ])("refuses %s and says where", (_name, tool, path) => {
    const error = errorOf(() => fingerprintTool(tool as JsonObject));
    expect(error).toBeInstanceOf(ToolPinsError);
    expect(error).toMatchObject({ code: "invalid-definition", path: expect.stringMatching(new RegExp(`^${path}`)) });
  });

  test("takes nine hundred levels", () => {
    expect(fingerprintTool({ inputSchema: nested(900, "items") }).prose).not.toBe(
      fingerprintTool({ inputSchema: {} }).prose,
    );
  });

  test("prose below a long name at ten thousand places takes time in proportion to its length", () => {
    const properties = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`p${index}`, { description: "d" }]),
    );
    const tool: JsonObject = { inputSchema: { properties: { ["n".repeat(1_000_000)]: { properties } } } };
    expect(fingerprintTool(tool).prose).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each<[string, JsonValue]>([
    [
      "__proto__",
      JSON.parse('{"name":"__proto__","__proto__":{"a":1},"inputSchema":{"properties":{"__proto__":{"title":"t"}}}}'),
    ],
    ["constructor", { name: "constructor", constructor: 1 }],
    ["an empty name", { name: "", "": "" }],
    ["a name of a megabyte", { name: "n".repeat(1_000_000) }],
    ["a name that turns around", { name: "\u202egnp.exe" }],
  ])("%s is data", (_name, tool) => {
    const other = { ...(tool as JsonObject), name: "other" };
    const { wire, contract, prose } = fingerprintTool(tool as JsonObject);
    expect(fingerprintTool(other)).not.toMatchObject({ wire });
    expect(fingerprintTool(other)).not.toMatchObject({ contract });
    expect(fingerprintTool(other)).toMatchObject({ prose });
    expect(({} as JsonObject)["a"]).toBeUndefined();
  });
});
