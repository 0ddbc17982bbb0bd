import { type JsonChange, printable } from "@agentprint/canonical-json";
import { ITEMS } from "@agentprint/mcp";
import { type Drift, type LookAlike, type NameCollision, PART_WORDS, type ServerPart } from "../drift/drift.ts";
import { schemaFaults } from "../drift/schema-faults.ts";
import type { NameIndex } from "../signals/find-names.ts";
import { byRule, type DriftFindingKind } from "./by-rule.ts";
import type { DriftRuleId } from "./drift-rules.ts";
import { findingOfFault } from "./fault-findings.ts";
import { type DriftFinding, itemSubject, located, placeOfItem, placeOfMember } from "./finding.ts";
import { MAY_BREAK } from "./leaves-calls-valid.ts";
import { eraInWords } from "./session-words.ts";
import { signalNote, signalsOf, signalsOfItem } from "./signals-of.ts";
import { findingsOfTool } from "./tool-findings.ts";

/** The findings for one difference of two states of a server; `known` are the names of tools and servers. */
export function findingsOfDrift(server: string, drift: Drift, known: NameIndex): DriftFinding[] {
  const place = { subject: server, server };
  const withSignals = (change: JsonChange, words = true) => {
    const [note] = signalNote(signalsOf(change, { all: known, own: new Set([server]) }, words));
    return note === undefined ? {} : { note };
  };
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
      return drift.changes.map((change) => {
        // A name, a title and a version of a server are a word or two: each other one is new.
        const signals = READ_BY_MODELS.has(drift.part) ? withSignals(change, drift.part !== "serverInfo") : {};
        const kind = "note" in signals ? signalsInPart(drift.part) : byPart(drift.part, change.pointer);
        return { ...kind, ...located(place, change), ...signals };
      });
    case "varying-signal": {
      const { member, before, after, signals } = drift;
      const [note = ""] = signalNote(signals);
      const message = "member that may vary has signals that its pinned value has not";
      return [{ ...byRule("mcp/varying-signal", message), place: placeOfMember(server, member), before, after, note }];
    }
    case "item-added":
    case "item-removed": {
      const message = `${ITEMS[drift.kind].words} ${drift.type === "item-removed" ? "removed" : "added"}`;
      const values = "before" in drift ? { before: drift.before } : { after: drift.after };
      const place = placeOfItem(server, drift.kind, drift.name);
      const found = { ...byRule(`mcp/${drift.type}`, message), place, ...values };
      if (drift.type === "item-removed") return [found];
      const faults = drift.kind === "tool" ? schemaFaults(drift.after) : [];
      const ofFaults = faults.map(({ schema, pointer, reason }) =>
        findingOfFault(place, { pointer: `/${schema}${pointer}`, reason }),
      );
      return [found, ...ofFaults, ...findingsOfNewTexts(server, drift, known)];
    }
    case "item-changed": {
      const place = placeOfItem(server, drift.kind, drift.name);
      return drift.changes.map((change) => ({
        ...byRule("mcp/item-changed", `${ITEMS[drift.kind].words} changed${change.breaks ? MAY_BREAK : ""}`),
        ...located(place, change),
        // A content has a digest in place of its text.
        ...(drift.kind !== "content" && withSignals(change)),
      }));
    }
    case "tool-changed":
    case "tool-renamed":
      return findingsOfTool(server, drift, known);
  }
}

/**
 * Returns the finding for the signals of a new item other than new words, and for a tool whose name resembles another
 * tool.
 */
function findingsOfNewTexts(
  server: string,
  { kind, name, after, looksLike = [] }: Extract<Drift, { type: "item-added" }>,
  known: NameIndex,
): DriftFinding[] {
  // A content has a digest in place of its text.
  const signals = kind === "content" ? [] : signalsOfItem(after, name, { all: known, own: new Set([server, name]) });
  const alike = looksLike.slice(0, MAX_NAMES).map((other) => `Looks like the tool ${printable(other)}`);
  const note = [...alike, ...signalNote(signals)].join(". ");
  if (note === "") return [];
  const message = alike.length > 0 ? "new tool is named like another one" : `new ${ITEMS[kind].words} has signals`;
  return [{ ...byRule("mcp/prose-signal", message), place: placeOfItem(server, kind, name), note }];
}

/** Names that a note lists. */
const MAX_NAMES = 8;

/** The finding that servers share a tool name. */
export function findingOfCollision({ name, servers }: NameCollision): DriftFinding {
  const more = servers.length > MAX_NAMES ? `, and ${servers.length - MAX_NAMES} more` : "";
  const message = `${servers.length} servers offer a tool of this name: ${servers.slice(0, MAX_NAMES).join(", ")}${more}`;
  return {
    ...byRule("mcp/name-collision", message),
    place: { subject: name, tool: name },
    after: [...servers],
    isRemark: true,
  };
}

/** The finding that tools have names that look alike. */
export function findingOfLookAlike({ tools }: LookAlike): DriftFinding {
  const [first] = tools;
  const name = first?.name ?? "";
  const after = tools.map(({ server, name }) => itemSubject(server, "tool", name));
  const message = `${tools.length} tools have names that look alike`;
  return { ...byRule("mcp/look-alike-name", message), place: { subject: name, tool: name }, after, isRemark: true };
}

/** The parts whose texts reach a model. */
const READ_BY_MODELS: ReadonlySet<ServerPart> = new Set(["instructions", "serverInfo", "greeting", "listMembers"]);

const PART_RULES: Readonly<Record<ServerPart, DriftRuleId>> = {
  launch: "mcp/launch-changed",
  files: "mcp/launch-file-changed",
  artifacts: "mcp/artifact-changed",
  artifactVersions: "mcp/artifact-version-changed",
  artifactFiles: "mcp/artifact-file-added",
  issuer: "auth/issuer-changed",
  endpointOrigin: "auth/endpoint-origin-changed",
  scopesAdded: "auth/scopes-widened",
  scopesDropped: "auth/scopes-narrowed",
  authMetadata: "auth/metadata-changed",
  client: "mcp/client-changed",
  clientCapabilities: "mcp/client-capabilities-changed",
  varies: "mcp/varies-changed",
  protocolVersion: "mcp/server-changed",
  supportedVersions: "mcp/supported-versions-changed",
  unread: "mcp/list-unread",
  serverInfo: "mcp/server-changed",
  capabilities: "mcp/server-changed",
  instructions: "mcp/server-changed",
  greeting: "mcp/server-changed",
  listMembers: "mcp/server-changed",
};

function signalsInPart(part: ServerPart): DriftFindingKind {
  return byRule("mcp/prose-signal", `${PART_WORDS[part]} changed, with signals`);
}

function byPart(part: ServerPart, pointer: string): DriftFindingKind {
  if (part === "serverInfo" && pointer === "/version")
    return byRule("mcp/server-version-changed", "server version changed");
  return byRule(PART_RULES[part], `${PART_WORDS[part]} changed`);
}
