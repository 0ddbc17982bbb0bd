import type { JsonObject, JsonValue } from "@agentprint/canonical-json";
import { expect, test } from "vitest";
import { checkLock, createLock, fingerprintTool, McpLockError, toolLayers } from "../src/index.ts";
import { snapshotOf } from "./arbitraries.ts";

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

test("an error shows the beginning of where it is, and nothing that a terminal acts on", () => {
  const key = `\u001b[31m${"k".repeat(1000)}`;
  const deep = Array.from({ length: 1001 }).reduce<JsonValue>((value) => ({ [key]: value }), 1);
  const drift = checkLock(createLock({}), { s: snapshotOf([{ name: "deep", x: deep }]) });
  expect(drift.servers[0]?.failure?.code).toBe("invalid-definition");
  expect(drift.servers[0]?.failure?.message.length).toBeLessThan(1000);
  expect(drift.servers[0]?.failure?.message).not.toContain("\u001b");
});
