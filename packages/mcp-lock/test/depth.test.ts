import type { JsonObject, JsonValue } from "@agentprint/canonical-json";
import { answersOf } from "@agentprint/testing/lock/offer";
import { expect, test } from "vitest";
import { checkLock, createLock, fingerprintTool, ToolPinsError, toolLayers } from "../src/index.ts";

function nested(depth: number, keyword: string): JsonObject {
  let schema: JsonObject = { description: "bottom" };
  for (let level = 0; level < depth; level++) schema = { [keyword]: schema };
  return schema;
}

test.each(["items", "not", "x-unknown", "const"])(
  "a million levels of %s are refused without running out of stack",
  (keyword) => {
    const tool = { name: "deep", inputSchema: nested(1_000_000, keyword) };
    expect(() => fingerprintTool(tool)).toThrow(ToolPinsError);
  },
);

test("toolLayers alone refuses a million levels, too", () => {
  expect(() => toolLayers({ inputSchema: nested(1_000_000, "items") })).toThrow(ToolPinsError);
});

test("an error shows the beginning of its path, and no character that a terminal acts on", () => {
  const key = `\u001b[31m${"k".repeat(1000)}`;
  const deep = Array.from({ length: 1001 }).reduce<JsonValue>((value) => ({ [key]: value }), 1);
  const drift = checkLock(createLock({}), { s: answersOf([{ name: "deep", x: deep }]) });
  expect(drift.servers[0]?.failure?.code).toBe("invalid-definition");
  expect(drift.servers[0]?.failure?.message.length).toBeLessThan(1000);
  expect(drift.servers[0]?.failure?.message).not.toContain("\u001b");
});

test("a change below 256 levels of a definition is one change of the value at that level", () => {
  const toolWith = (bottom: number) => ({
    name: "deep",
    x: Array.from({ length: 500 }).reduce<JsonValue>((value) => ({ a: value }), bottom),
  });
  const lock = createLock({ s: answersOf([toolWith(1)]) });
  const [drift] = checkLock(lock, { s: answersOf([toolWith(2)]) }).servers[0]?.drifts ?? [];
  expect(drift).toMatchObject({ type: "tool-changed", layers: ["rest"], changes: [{ layer: "rest" }] });
  expect(drift && "changes" in drift && drift.changes[0]?.pointer).toBe(`/x${"/a".repeat(255)}`);
});
