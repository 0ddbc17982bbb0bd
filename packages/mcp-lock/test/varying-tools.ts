import type { JsonObject } from "@agentprint/canonical-json";
import type { VisitAnswers } from "@agentprint/mcp";
import {
  checkLock,
  type DriftFinding,
  driftFindings,
  type LockedServer,
  type LockFile,
  sealServer,
  type VaryingMember,
} from "@agentprint/mcp-lock";
import { everywhere, TOOL } from "@agentprint/testing/lock/visit-answers";

export const member = (pointer: string, as: VaryingMember["as"] = "any", name = "read"): VaryingMember => ({
  kind: "tool",
  name,
  pointer,
  as,
});
export const INSTRUCTIONS: VaryingMember = { kind: "greeting", pointer: "/instructions", as: "any" };

/** A tool with all members that may vary. */
export const SCHEMA: JsonObject = {
  type: "object",
  properties: { mode: { type: "string", enum: ["a", "b", "c"], default: "a", description: "The mode" }, path: {} },
  required: ["mode", "path"],
  examples: [{ mode: "a" }],
};
export const RICH: JsonObject = { ...TOOL, inputSchema: SCHEMA, _meta: { at: 1, deep: { id: "x" } } };

export const rich = (tool: JsonObject): VisitAnswers => everywhere({ tools: [tool] });
export const lockOf = (entry: LockedServer): LockFile => ({ lockVersion: 2, servers: [entry] });
export const check = (entry: LockedServer, live: VisitAnswers): DriftFinding[] =>
  driftFindings(checkLock(lockOf(entry), { [entry.name]: live })).filter(({ rule }) => rule !== "mcp/varying-member");

/** Returns the entry with these varying members, and with the matching digests. */
export function sealedAgain(
  { toolsDigest: _, digest: _digest, setHashes: _sets, ...entry }: LockedServer,
  varies: readonly VaryingMember[],
): LockedServer {
  return sealServer({ ...entry, varies });
}

/** Returns the tool with different values at all places that may vary. */
export function otherwise(tool: JsonObject, text = "Reads one file"): JsonObject {
  const { properties, ...schema } = tool["inputSchema"] as { properties: { mode: JsonObject } & JsonObject };
  const mode = { ...properties.mode, enum: ["c", "a", "b"], default: 7, description: text };
  return {
    ...tool,
    description: text,
    inputSchema: { ...schema, properties: { ...properties, mode }, required: ["path", "mode"], examples: [] },
    _meta: { at: 2, deep: { id: ["y"] } },
  };
}

export const ALL: readonly VaryingMember[] = [
  member("/description"),
  member("/_meta/at"),
  member("/_meta/deep"),
  member("/inputSchema/examples"),
  member("/inputSchema/properties/mode/default"),
  member("/inputSchema/properties/mode/description"),
  member("/inputSchema/properties/mode/enum", "set"),
  member("/inputSchema/required", "set"),
];

export const TOOL2: JsonObject = { ...TOOL, name: "other" };
