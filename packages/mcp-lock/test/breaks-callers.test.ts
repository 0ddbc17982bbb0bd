import type { JsonObject } from "@agentprint/canonical-json";
import { answersOf, type Offer } from "@agentprint/testing/lock/offer";
import { expect, test } from "vitest";
import { breaksCallers, checkLock, createLock, driftFindings } from "../src/index.ts";

const tool = (more: JsonObject = {}, properties: JsonObject = { path: {} }): JsonObject => ({
  name: "read",
  inputSchema: { type: "object", properties, additionalProperties: false },
  ...more,
});
const offer = (tools: readonly JsonObject[], rest: Partial<Offer> = {}) => ({ s: answersOf([...tools], rest) });
const prompts = (required: boolean) => ({ prompts: [{ name: "greet", arguments: [{ name: "who", required }] }] });

test.each([
  ["a hint of more power", offer([tool({ annotations: { readOnlyHint: true } })]), offer([tool()]), []],
  ["a hint of less power", offer([tool()]), offer([tool({ annotations: { readOnlyHint: true } })]), []],
  ["a text", offer([tool({ description: "Reads" })]), offer([tool({ description: "Deletes" })]), []],
  [
    "another launch",
    offer([tool()]),
    offer([tool()], { launch: { type: "http", url: "https://x.test/", headers: [] } }),
    [],
  ],
  ["a wider input", offer([tool()]), offer([tool({}, { path: {}, all: { type: "boolean" } })]), []],
  ["another default", offer([tool()]), offer([tool({}, { path: { default: 1 } })]), []],
  ["a narrower input", offer([tool()]), offer([tool({}, { path: { type: "string" } })]), ["mcp/tool-contract-changed"]],
  ["a tool that is gone", offer([tool()]), offer([]), ["mcp/item-removed"]],
  ["a prompt that requires less", offer([], prompts(true)), offer([], prompts(false)), []],
  ["a prompt that requires more", offer([], prompts(false)), offer([], prompts(true)), ["mcp/item-changed"]],
  [
    "a schema that MCP does not allow, pinned before",
    offer([tool({ inputSchema: {} })]),
    offer([tool({ inputSchema: {} })]),
    [],
  ],
  [
    "a schema that MCP no longer allows",
    offer([tool()]),
    offer([tool({ inputSchema: {} })]),
    ["mcp/schema-not-allowed"],
  ],
])("%s breaks callers, or not, in the same section of a report", (_name, before, after, rules) => {
  const findings = driftFindings(checkLock(createLock(before), after));
  expect(findings.length).toBeGreaterThan(0);
  expect(findings.filter(breaksCallers).map(({ rule }) => rule)).toEqual(expect.arrayContaining(rules));
  expect(findings.some(breaksCallers)).toBe(rules.length > 0);
  for (const finding of findings) {
    expect(breaksCallers(finding), finding.rule).toBe(finding.section === "What breaks, or may break");
  }
});
