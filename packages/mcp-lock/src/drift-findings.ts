import { canonicalize } from "@agentprint/canonical-json";
import type { Finding, FindingLevel } from "@agentprint/report";
import type { ValueChange } from "./diff-values.ts";
import {
  type CommonHash,
  type Drift,
  type DriftReport,
  PART_WORDS,
  type ServerPart,
  type ToolChange,
} from "./drift.ts";
import { ITEMS, type ItemKind } from "./item-kinds.ts";
import type { SchemaVerdict } from "./judge-schemas.ts";
import type { DriftRuleId } from "./rules.ts";
import { eraInWords } from "./session-words.ts";
import type { Layer } from "./tool-layers.ts";

type ToolDrift = Extract<Drift, { type: "tool-changed" | "tool-renamed" }>;

/** A finding of one of {@link DRIFT_RULES}. */
export interface DriftFinding extends Finding {
  readonly ruleId: DriftRuleId;
}

/** The findings that say how a difference of two states of a server looks. */
export function driftFindings(server: string, drift: Drift): DriftFinding[] {
  switch (drift.type) {
    case "server-not-locked":
      return [{ ruleId: "server-not-locked", level: "error", message: "not in the lock", subject: server }];
    case "era-added":
    case "era-removed": {
      const isNew = drift.type === "era-added";
      const message = `${isNew ? "speaks" : "no longer speaks"} MCP ${eraInWords(drift.era)}`;
      const values = isNew ? { after: [...drift.versions] } : { before: [...drift.versions] };
      return [{ ruleId: "era-changed", level: "error", message, subject: server, ...values }];
    }
    case "part-changed":
      return drift.changes.map((change) => ({ ...partKind(drift.part), subject: server, ...located(change) }));
    case "item-added":
    case "item-removed": {
      const removed = drift.type === "item-removed";
      const message = `${ITEMS[drift.kind].words} ${removed ? "removed" : "added"}`;
      const level = removed ? "error" : "warning";
      const values = "before" in drift ? { before: drift.before } : { after: drift.after };
      return [{ ruleId: drift.type, level, message, subject: subjectOf(server, drift.kind, drift.name), ...values }];
    }
    case "item-changed": {
      const message = `${ITEMS[drift.kind].words} changed`;
      const subject = subjectOf(server, drift.kind, drift.name);
      return drift.changes.map((change) => ({
        ruleId: "item-changed",
        level: "warning",
        message,
        subject,
        ...located(change),
      }));
    }
    case "tool-changed": {
      const subject = subjectOf(server, "tool", drift.name);
      return withVerdicts(drift).map(({ layer, notes, ...change }) => {
        const note = [...notes, ...missedNote(drift.missedBy)].join(". ");
        return { ...LAYER[layer], subject, ...located(change), ...(note && { note }) };
      });
    }
    case "tool-renamed": {
      const subject = subjectOf(server, "tool", drift.name);
      const likely = drift.similarity === 1 ? "all else is the same" : `${Math.round(drift.similarity * 100)} % alike`;
      const message = `likely renamed, ${likely}`;
      const [before, after] = [drift.previousName, drift.name];
      return [
        { ruleId: "tool-renamed", level: "error", message, subject, pointer: "/name", before, after },
        ...withVerdicts(drift)
          .filter(({ pointer }) => pointer !== "/name")
          .map(({ layer, notes, ...change }) => {
            return { ...LAYER[layer], subject, ...located(change), ...(notes[0] && { note: notes[0] }) };
          }),
      ];
    }
  }
}

/** The finding that servers share a tool name. */
export function collisionFinding({ name, servers }: DriftReport["collisions"][number]): DriftFinding {
  const message = `${servers.length} servers offer a tool of this name`;
  return { ruleId: "name-collision", level: "note", message, subject: name, after: [...servers] };
}

type Kind = Pick<DriftFinding, "ruleId" | "level" | "message">;

const kind = (ruleId: DriftRuleId, level: FindingLevel, message: string): Kind => ({ ruleId, level, message });

const LAYER: Readonly<Record<Layer, Kind>> = {
  contract: kind("tool-contract-changed", "error", "contract changed"),
  prose: kind("tool-prose-changed", "error", "prose changed"),
  hints: kind("tool-hints-changed", "error", "hints changed"),
  rest: kind("tool-rest-changed", "warning", "other member changed"),
};

const PART_RULES: Readonly<Record<ServerPart, readonly [DriftRuleId, FindingLevel]>> = {
  launch: ["launch-changed", "error"],
  client: ["client-changed", "warning"],
  clientCapabilities: ["client-capabilities-changed", "warning"],
  protocolVersion: ["server-changed", "warning"],
  supportedVersions: ["supported-versions-changed", "note"],
  serverInfo: ["server-changed", "warning"],
  capabilities: ["server-changed", "warning"],
  instructions: ["server-changed", "error"],
  greeting: ["server-changed", "error"],
  listMembers: ["server-changed", "error"],
};

function partKind(part: ServerPart): Kind {
  return kind(...PART_RULES[part], `${PART_WORDS[part]} changed`);
}

/** What a person calls an item of a server. */
export function subjectOf(server: string, kind: ItemKind, name: string): string {
  return `${server} › ${kind === "tool" ? "" : `${ITEMS[kind].words} `}${name}`;
}

function located({ pointer, ...values }: ValueChange): Omit<ValueChange, "pointer"> & { pointer?: string } {
  return pointer === "" ? values : { ...values, pointer };
}

function missedNote(missedBy: readonly CommonHash[]): string[] {
  const widest = missedBy.at(-1);
  if (widest === undefined) return [];
  const members = widest.replaceAll("+", ", ").replace(/, (\w+)$/, " and $1");
  return [`A hash of ${members} is the same before and after: it misses this`];
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
