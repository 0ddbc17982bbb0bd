import { DRIFT_CATALOG } from "@agentprint/mcp-lock";
import { expect, test } from "vitest";
import { PRESET_NAMES, PRESETS, parsePolicy } from "../src/index.ts";

test.each(PRESET_NAMES)("every rule that the preset %s names is one of a check of MCP servers", (preset) => {
  const rules = Object.fromEntries(Object.keys(PRESETS[preset].rules).map((id) => [id, { guard: "ask" }]));
  expect(parsePolicy({ preset, rules }, DRIFT_CATALOG).rules).toEqual(rules);
});

test("no policy decides about a server that could not be read", () => {
  expect(() => parsePolicy({ rules: { "mcp/could-not-tell": "off" } }, DRIFT_CATALOG)).toThrow(
    expect.objectContaining({ code: "fixed-rule", path: "/rules/mcp~1could-not-tell" }),
  );
});
