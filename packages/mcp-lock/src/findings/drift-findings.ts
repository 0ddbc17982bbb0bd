import { canonicalize, type JsonChange } from "@agentprint/canonical-json";
import {
  type CommonHash,
  type Drift,
  type NameCollision,
  PART_WORDS,
  type ServerPart,
  type ToolChange,
} from "../drift/drift.ts";
import type { SchemaVerdict } from "../drift/judge-schemas.ts";
import type { Layer } from "../tool/tool-layers.ts";
import { ITEMS } from "../visit/item-kinds.ts";
import { DRIFT_RULES, type DriftRuleId, type FindingLevel } from "./drift-rules.ts";
import { type DriftFinding, type DriftPlace, itemSubject } from "./finding.ts";
import { eraInWords } from "./session-words.ts";

type ToolDrift = Extract<Drift, { type: "tool-changed" | "tool-renamed" }>;

/** The findings for one difference of two states of a server. */
export function findingsOfDrift(server: string, drift: Drift): DriftFinding[] {
  const place = { subject: server, server };
  switch (drift.type) {
    case "server-not-locked":
      return [{ ...byRule("mcp/server-not-locked", "not in the lock"), place }];
    case "era-added":
    case "era-removed": {
      const isNew = drift.type === "era-added";
      const message = `${isNew ? "speaks" : "no longer speaks"} MCP ${eraInWords(drift.era)}`;
      const values = isNew ? { after: [...drift.versions] } : { before: [...drift.versions] };
      return [{ ...byRule("mcp/era-changed", message), place, ...values }];
    }
    case "part-changed":
      return drift.changes.map((change) => ({ ...byPart(drift.part), ...located(place, change) }));
    case "item-added":
    case "item-removed": {
      const message = `${ITEMS[drift.kind].words} ${drift.type === "item-removed" ? "removed" : "added"}`;
      const values = "before" in drift ? { before: drift.before } : { after: drift.after };
      const subject = itemSubject(server, drift.kind, drift.name);
      return [{ ...byRule(`mcp/${drift.type}`, message), place: { subject, server }, ...values }];
    }
    case "item-changed": {
      const subject = itemSubject(server, drift.kind, drift.name);
      return drift.changes.map((change) => ({
        ...byRule("mcp/item-changed", `${ITEMS[drift.kind].words} changed`),
        ...located({ subject, server }, change),
      }));
    }
    case "tool-changed": {
      const subject = itemSubject(server, "tool", drift.name);
      return withVerdicts(drift).map(({ layer, notes, ...change }) => {
        const note = [...notes, ...missedNote(drift.missedBy)].join(". ");
        return { ...byLayer(layer), ...located({ subject, server }, change), ...(note && { note }) };
      });
    }
    case "tool-renamed": {
      const subject = itemSubject(server, "tool", drift.name);
      const likely = drift.similarity === 1 ? "all else is the same" : `${Math.round(drift.similarity * 100)} % alike`;
      const [before, after] = [drift.previousName, drift.name];
      return [
        {
          ...byRule("mcp/tool-renamed", `likely renamed, ${likely}`),
          ...located({ subject, server }, { pointer: "/name", before, after }),
        },
        ...withVerdicts(drift)
          .filter(({ pointer }) => pointer !== "/name")
          .map(({ layer, notes, ...change }) => {
            return { ...byLayer(layer), ...located({ subject, server }, change), ...(notes[0] && { note: notes[0] }) };
          }),
      ];
    }
  }
}

/** The finding that servers share a tool name. */
export function findingOfCollision({ name, servers }: NameCollision): DriftFinding {
  const message = `${servers.length} servers offer a tool of this name`;
  return { ...byRule("mcp/name-collision", message), place: { subject: name }, after: [...servers] };
}

type Kind = Pick<DriftFinding, "rule" | "level" | "message">;

/** The rule, level and message of a finding. `level` replaces the level of the rule. */
export function byRule(rule: DriftRuleId, message: string, level: FindingLevel = DRIFT_RULES[rule].level): Kind {
  return { rule, level, message };
}

function byLayer(layer: Layer): Kind {
  return byRule(`mcp/tool-${layer}-changed`, `${layer === "rest" ? "other member" : layer} changed`);
}

const PART_RULES: Readonly<Record<ServerPart, readonly [rule: DriftRuleId, level?: FindingLevel]>> = {
  launch: ["mcp/launch-changed"],
  client: ["mcp/client-changed"],
  clientCapabilities: ["mcp/client-capabilities-changed"],
  protocolVersion: ["mcp/server-changed", "warning"],
  supportedVersions: ["mcp/supported-versions-changed"],
  serverInfo: ["mcp/server-changed", "warning"],
  capabilities: ["mcp/server-changed", "warning"],
  instructions: ["mcp/server-changed"],
  greeting: ["mcp/server-changed"],
  listMembers: ["mcp/server-changed"],
};

function byPart(part: ServerPart): Kind {
  const [rule, level] = PART_RULES[part];
  return byRule(rule, `${PART_WORDS[part]} changed`, level);
}

type Located = Pick<DriftFinding, "place" | "before" | "after">;

function located(place: DriftPlace, { pointer, ...values }: JsonChange): Located {
  return { place: pointer === "" ? place : { ...place, pointer }, ...values };
}

function missedNote(missedBy: readonly CommonHash[]): string[] {
  const widest = missedBy.at(-1);
  if (widest === undefined) return [];
  const members = widest.replaceAll("+", ", ").replace(/, (\w+)$/, " and $1");
  return [`A hash of ${members} is the same before and after and would not detect this change`];
}

/** The changes of a tool; the first contract change in a schema carries the verdict on that schema. */
function withVerdicts({ changes, schemas = [] }: ToolDrift): (ToolChange & { readonly notes: string[] })[] {
  const open = new Map(schemas.map((verdict) => [verdict.schema as string, verdict]));
  return changes.map((change) => {
    const [, schema = ""] = change.pointer.split("/");
    const verdict = change.layer === "contract" ? open.get(schema) : undefined;
    if (verdict) open.delete(schema);
    return { ...change, notes: verdict ? [verdictNote(verdict)] : [] };
  });
}

function verdictNote({ schema, verdict, counterexample }: SchemaVerdict): string {
  const isInput = schema === "inputSchema";
  if (verdict === "compatible")
    return `Compatible: every ${isInput ? "call that was valid still is" : "result fits the schema of before"}`;
  if (verdict === "unknown")
    return `Whether ${isInput ? "calls stay valid" : "results fit the schema of before"} could not be told`;
  const value = canonicalize(counterexample);
  return isInput
    ? `Breaking: arguments ${value} were valid and are rejected now`
    : `Breaking: result ${value} was not possible before`;
}
