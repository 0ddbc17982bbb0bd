import type { JsonChange } from "@agentprint/canonical-json";
import { ITEMS } from "@agentprint/mcp";
import {
  findingsOfNewSchemas,
  findingsOfNewTexts,
  findingsOfTool,
  knownNames,
  located,
  type NameIndex,
  signalNote,
  signalsOf,
} from "@agentprint/tool-pins/judgement";
import type { Drift, LookAlike, NameCollision, ServerPart } from "../drift/drift.ts";
import type { ItemChange } from "../drift/item-changes.ts";
import { byRule, type DriftFindingKind } from "./by-rule.ts";
import { contractReader } from "./contract-findings.ts";
import type { DriftRuleId } from "./drift-rules.ts";
import { type DriftFinding, itemSubject, placeOfItem, placeOfMember } from "./finding.ts";
import { MAY_BREAK } from "./leaves-calls-valid.ts";
import { PART_WORDS } from "./part-words.ts";
import { eraInWords } from "./session-words.ts";

/**
 * Returns the findings about one difference between two states of a server; `known` holds the names of tools and
 * servers.
 */
export function findingsOfDrift(server: string, drift: Drift, known: NameIndex): DriftFinding[] {
  const place = { subject: server, server };
  const withSignals = (change: JsonChange, words = true) => {
    const [note] = signalNote(signalsOf(change, knownNames(known, server), words));
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
        // A server's name, title and version are only a word or two, so any change to them consists of new words.
        const signals = READ_BY_MODELS.has(drift.part) ? withSignals(change, drift.part !== "serverInfo") : {};
        const kind = "note" in signals ? signalsInPart(drift.part) : byPart(drift.part, change.pointer);
        return { ...kind, ...located(place, change), ...signals };
      });
    case "varying-signal": {
      const { member, before, after, signals } = drift;
      const [note = ""] = signalNote(signals);
      const message = "member that may vary has signals that its pinned value does not have";
      return [{ ...byRule("mcp/varying-signal", message), place: placeOfMember(server, member), before, after, note }];
    }
    case "item-added":
    case "item-removed": {
      const message = `${ITEMS[drift.kind].words} ${drift.type === "item-removed" ? "removed" : "added"}`;
      const values = "before" in drift ? { before: drift.before } : { after: drift.after };
      const place = placeOfItem(server, drift.kind, drift.name);
      const found = { ...byRule(`mcp/${drift.type}`, message), place, ...values };
      if (drift.type === "item-removed") return [found];
      if (drift.kind === "content") return [found];
      const ofSchemas = drift.kind === "tool" ? findingsOfNewSchemas(place, drift.after) : [];
      const item = { words: ITEMS[drift.kind].words, ...drift };
      return [found, ...ofSchemas, ...findingsOfNewTexts(place, item, knownNames(known, server, drift.name))];
    }
    case "item-changed": {
      const place = placeOfItem(server, drift.kind, drift.name);
      return drift.changes.map((change) => ({
        ...byRule("mcp/item-changed", `${ITEMS[drift.kind].words} changed${change.breaks ? MAY_BREAK : ""}`),
        ...located(place, change),
        ...(drift.kind === "content" ? noteOfUnkept(change) : withSignals(change)),
      }));
    }
    case "numbers-changed": {
      const place = placeOfItem(server, drift.kind, drift.name);
      const message = "number that a double changes is written differently";
      return drift.changes.map((change) => ({ ...byRule("mcp/number-changed", message), ...located(place, change) }));
    }
    case "tool-changed":
    case "tool-renamed":
      return findingsOfTool(server, drift, known, contractReader(drift)).map(({ finding }) => finding);
  }
}

const NOTES_OF_UNKEPT: Readonly<Record<NonNullable<ItemChange["unkept"]>, string>> = {
  before: "The lock has only the digest of its earlier text: read the complete current text",
  after: "Only the digest of its later text is known: read the text at its source",
  both: "Only digests of its texts are known: read the texts at their source",
};

function noteOfUnkept({ unkept }: ItemChange): { readonly note?: string } {
  return unkept === undefined ? {} : { note: NOTES_OF_UNKEPT[unkept] };
}

/** The maximum number of names that a note lists. */
const MAX_NAMES = 8;

/** Returns the finding that several servers share a tool name. */
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

/** Returns the finding that several tools have similar names. */
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
  sessions: "mcp/sessions-changed",
  entry: "mcp/entry-changed",
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
