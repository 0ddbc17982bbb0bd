import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json";
import { checkLock, DRIFT_RULES, type DriftFinding, type DriftRuleId, driftFindings } from "@agentprint/mcp-lock";
import { applyPolicy, decide, PRESET_NAMES, type PresetName } from "@agentprint/policy";
import { findingsOfExample } from "@agentprint/testing/lock/rule-examples";
import { describe, expect, test } from "vitest";
import { parseGuardPolicy } from "../src/index.ts";
import {
  call,
  guardOf,
  initializeResult,
  listTools,
  lockOf,
  request,
  result,
  sent,
  visitOf,
  type World,
} from "./support/world.ts";

const IDS = Object.keys(DRIFT_RULES) as DriftRuleId[];
const EACH = PRESET_NAMES.flatMap((preset) => IDS.map((id) => [preset, id] as const));

/**
 * Returns the levels that a check gives to findings under a preset, except findings about new items, which a guard
 * removes from a list.
 */
function levels(findings: readonly DriftFinding[], preset: PresetName): string[] {
  const { findings: applied } = applyPolicy(findings, parseGuardPolicy({ preset }), { today: "2026-01-31" });
  return applied.filter(({ rule }) => rule !== "mcp/item-added").map(({ level }) => level);
}

describe("what a guard blocks is an error of a check in the same preset", () => {
  test.each(EACH)("%s: each finding of the example of %s", (preset, id) => {
    const policy = parseGuardPolicy({ preset });
    const blocked = findingsOfExample(id).filter((finding) => decide(finding, policy).guard === "block");
    expect(levels(blocked, preset).filter((level) => level !== "error")).toEqual([]);
  });
});

const TOOL: JsonObject = { name: "send", inputSchema: { type: "object", properties: {} }, annotations: {} };
const toolWorld = (members: JsonValue | undefined): World => ({
  tools: [{ ...TOOL, ...(isJsonObject(members) ? members : {}) }],
});
const prompts = (members: JsonValue | undefined): World => ({
  tools: [TOOL],
  prompts: isJsonObject(members) ? [members] : [],
});

/** The server for an example's value, if the guard sees that value in messages. */
const WORLDS: Partial<Record<DriftRuleId, (value: JsonValue | undefined) => World>> = {
  "mcp/item-added": (value) => (value === undefined ? { tools: [] } : toolWorld(value)),
  "mcp/item-changed": prompts,
  "mcp/server-changed": (instructions) => ({ tools: [TOOL], instructions: String(instructions) }),
  "mcp/server-version-changed": (version) => ({
    tools: [TOOL],
    serverInfo: { name: "files", version: String(version) },
  }),
  ...Object.fromEntries(IDS.filter((id) => isToolRule(id)).map((id) => [id, toolWorld])),
};

function isToolRule(id: DriftRuleId): boolean {
  const { before, after } = DRIFT_RULES[id].example;
  const members = ["inputSchema", "annotations", "description", "_meta", "name"];
  const isTool = (value: JsonValue | undefined) => isJsonObject(value) && members.some((name) => name in value);
  return !DRIFT_RULES[id].isRemark && !/item-|server-|client-/.test(id) && isTool(before) && isTool(after);
}

/** Reports whether the guard refuses to use the server's current offer. */
function isRefused(before: World, after: World, preset: PresetName): boolean {
  const { guard } = guardOf(before, { preset });
  guard.fromClient(request("greet", "initialize", { protocolVersion: "2025-11-25", capabilities: {} }));
  guard.fromServer(result("greet", initializeResult(after)));
  listTools(guard, after.tools ?? []);
  const [tool] = after.tools ?? [];
  const uses = [call(1, String(tool?.["name"]))];
  const [prompt] = after.prompts ?? [];
  if (prompt) {
    guard.fromClient(request("prompts", "prompts/list"));
    guard.fromServer(result("prompts", { prompts: [prompt] }));
    uses.push(request(2, "prompts/get", { name: prompt["name"] as string }));
  }
  return uses.some((use) => {
    const step = guard.fromClient(use);
    return step.action === "answer" && sent(step, "toServer").length === 0;
  });
}

describe("what a guard refuses to use is an error of a check in the same preset", () => {
  const seen = Object.keys(WORLDS) as DriftRuleId[];

  test.each(PRESET_NAMES.flatMap((preset) => seen.map((id) => [preset, id] as const)))("%s: %s", (preset, id) => {
    const { before, after } = DRIFT_RULES[id].example;
    const worldOf = WORLDS[id] as (value: JsonValue | undefined) => World;
    const [then, now] = [worldOf(before), worldOf(after)];
    const findings = driftFindings(checkLock(lockOf(then), { files: visitOf(now) }));
    expect(findings.map(({ rule }) => rule)).toContain(id);
    const isError = levels(findings, preset).includes("error");
    const isNew = findings.some(({ rule }) => rule === "mcp/item-added");
    if (isRefused(then, now, preset) && !isNew) expect(isError).toBe(true);
  });

  test("some are refused, and some are not", () => {
    const { before, after } = DRIFT_RULES["mcp/hint-less-asking"].example;
    expect(isRefused(toolWorld(before), toolWorld(after), "compatible")).toBe(true);
    const { before: old, after: text } = DRIFT_RULES["mcp/tool-prose-changed"].example;
    expect(isRefused(toolWorld(old), toolWorld(text), "compatible")).toBe(false);
    expect(seen.length).toBeGreaterThan(15);
  });
});
