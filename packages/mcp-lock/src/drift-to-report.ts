import type { Finding, FindingLevel, Report } from "@agentprint/report";
import type { ValueChange } from "./diff-values.ts";
import type { CommonHash, Drift, DriftReport, ItemKind, ServerDrift, ServerPart } from "./drift.ts";
import { RULES, type RuleId } from "./rules.ts";
import { summarizeDrift } from "./summarize-drift.ts";
import type { Layer } from "./tool-layers.ts";

/** Where a report points to. */
export interface DriftToReportOptions {
  /** Path of the lock file, for the formats that annotate files. */
  readonly lockFile?: string;
}

/** The report of a drift, for every format that `@agentprint/report` writes. */
export function driftToReport(drift: DriftReport, options: DriftToReportOptions = {}): Report {
  const findings = [...drift.servers.flatMap(serverFindings), ...drift.collisions.map(collisionFinding)];
  const { lockFile } = options;
  return {
    command: "agentprint check",
    title: "agentprint check",
    summary: summarizeDrift(drift),
    outcome: drift.outcome,
    findings: lockFile === undefined ? findings : findings.map((it) => ({ ...it, location: { file: lockFile } })),
    rules: RULES,
    checked: drift.servers.flatMap(checkedSubjects),
    data: drift,
  };
}

interface FindingDraft extends Finding {
  readonly ruleId: RuleId;
}

function serverFindings({ server, failure, drifts }: ServerDrift): FindingDraft[] {
  if (failure !== undefined) {
    const message = `Could not tell: ${failure.message}`;
    return [{ ruleId: "could-not-tell", level: "error", message, subject: server, couldNotTell: true }];
  }
  return drifts.flatMap((drift) => driftFindings(server, drift));
}

function driftFindings(server: string, drift: Drift): FindingDraft[] {
  switch (drift.type) {
    case "server-not-locked":
      return [{ ruleId: "server-not-locked", level: "error", message: "not in the lock", subject: server }];
    case "part-changed":
      return drift.changes.map((change) => ({ ...PARTS[drift.part], subject: server, ...located(change) }));
    case "item-added":
    case "item-removed": {
      const removed = drift.type === "item-removed";
      const message = `${KINDS[drift.kind]} ${removed ? "removed" : "added"}`;
      const level = removed ? "error" : "warning";
      return [{ ruleId: drift.type, level, message, subject: subjectOf(server, drift.kind, drift.name) }];
    }
    case "item-changed": {
      const message = `${KINDS[drift.kind]} changed`;
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
      const note = missedNote(drift.missedBy);
      return drift.changes.map(({ layer, ...change }) => ({ ...LAYER[layer], subject, ...located(change), ...note }));
    }
    case "tool-renamed": {
      const subject = subjectOf(server, "tool", drift.name);
      const likely = drift.similarity === 1 ? "all else is the same" : `${Math.round(drift.similarity * 100)} % alike`;
      const message = `likely renamed, ${likely}`;
      const [before, after] = [drift.previousName, drift.name];
      return [
        { ruleId: "tool-renamed", level: "error", message, subject, pointer: "/name", before, after },
        ...drift.changes
          .filter(({ pointer }) => pointer !== "/name")
          .map(({ layer, ...change }) => ({ ...LAYER[layer], subject, ...located(change) })),
      ];
    }
  }
}

function collisionFinding({ name, servers }: DriftReport["collisions"][number]): FindingDraft {
  const message = `${servers.length} servers offer a tool of this name`;
  return { ruleId: "name-collision", level: "note", message, subject: name, after: [...servers] };
}

type Kind = Pick<FindingDraft, "ruleId" | "level" | "message">;

const kind = (ruleId: RuleId, level: FindingLevel, message: string): Kind => ({ ruleId, level, message });

const LAYER: Readonly<Record<Layer, Kind>> = {
  contract: kind("tool-contract-changed", "error", "contract changed"),
  prose: kind("tool-prose-changed", "error", "prose changed"),
  hints: kind("tool-hints-changed", "error", "hints changed"),
  rest: kind("tool-rest-changed", "warning", "other member changed"),
};

const PARTS: Readonly<Record<ServerPart, Kind>> = {
  launch: kind("launch-changed", "error", "launch changed"),
  clientCapabilities: kind("client-capabilities-changed", "warning", "client capabilities changed"),
  protocolVersion: kind("server-changed", "warning", "protocol version changed"),
  serverInfo: kind("server-changed", "warning", "server info changed"),
  capabilities: kind("server-changed", "warning", "server capabilities changed"),
  instructions: kind("server-changed", "error", "instructions changed"),
};

const KINDS: Readonly<Record<ItemKind, string>> = {
  tool: "tool",
  prompt: "prompt",
  resource: "resource",
  resourceTemplate: "resource template",
};

function subjectOf(server: string, kind: ItemKind, name: string): string {
  return `${server} › ${kind === "tool" ? "" : `${KINDS[kind]} `}${name}`;
}

function located({ pointer, ...values }: ValueChange): Omit<ValueChange, "pointer"> & { pointer?: string } {
  return pointer === "" ? values : { ...values, pointer };
}

function missedNote(missedBy: readonly CommonHash[]): { note?: string } {
  const widest = missedBy.at(-1);
  if (widest === undefined) return {};
  const members = widest.replaceAll("+", ", ").replace(/, (\w+)$/, " and $1");
  return { note: `A hash of ${members} is the same before and after: it misses this` };
}

function checkedSubjects({ server, checked }: ServerDrift): string[] {
  const kinds = Object.keys(KINDS) as ItemKind[];
  return [server, ...kinds.flatMap((kind) => checked[kind].map((name) => subjectOf(server, kind, name)))];
}
