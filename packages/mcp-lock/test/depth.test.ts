import { expect, test } from "vitest";
import { fingerprintTool, type JsonObject, McpLockError, toolLayers } from "../src/index.ts";

function nested(depth: number, keyword: string): JsonObject {
  let schema: JsonObject = { description: "bottom" };
  for (let level = 0; level < depth; level++) schema = { [keyword]: schema };
  return schema;
}

test.each(["items", "not", "x-unknown", "const"])(
  "a million levels of %s are refused without running out of stack",
  (keyword) => {
    const tool = { name: "deep", inputSchema: nested(1_000_000, keyword) };
    expect(() => fingerprintTool(tool)).toThrow(McpLockError);
  },
);

test("the payload function alone refuses a million levels too", () => {
  expect(() => toolLayers({ inputSchema: nested(1_000_000, "items") })).toThrow(McpLockError);
});
