import { type Drift, type NameCollision, PART_WORDS, type ServerPart } from "../drift/drift.ts";
import { ITEMS } from "../visit/item-kinds.ts";
import { byRule, type FindingKind } from "./by-rule.ts";
import type { DriftRuleId, FindingLevel } from "./drift-rules.ts";
import { type DriftFinding, located, placeOfItem } from "./finding.ts";
import { eraInWords } from "./session-words.ts";
import { findingsOfTool } from "./tool-findings.ts";

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
      const place = placeOfItem(server, drift.kind, drift.name);
      return [{ ...byRule(`mcp/${drift.type}`, message), place, ...values }];
    }
    case "item-changed": {
      const place = placeOfItem(server, drift.kind, drift.name);
      return drift.changes.map((change) => ({
        ...byRule("mcp/item-changed", `${ITEMS[drift.kind].words} changed`),
        ...located(place, change),
      }));
    }
    case "tool-changed":
    case "tool-renamed":
      return findingsOfTool(server, drift);
  }
}

/** The finding that servers share a tool name. */
export function findingOfCollision({ name, servers }: NameCollision): DriftFinding {
  const message = `${servers.length} servers offer a tool of this name`;
  return {
    ...byRule("mcp/name-collision", message),
    place: { subject: name, tool: name },
    after: [...servers],
    isRemark: true,
  };
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

function byPart(part: ServerPart): FindingKind {
  const [rule, level] = PART_RULES[part];
  return byRule(rule, `${PART_WORDS[part]} changed`, level);
}
