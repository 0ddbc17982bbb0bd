import type { ToolRef } from "@agentprint/agent-capabilities";
import type { JsonValue } from "@agentprint/canonical-json";
import type { Finding, Report, Rule } from "@agentprint/report";
import { compareTurns, contradictionText, type TurnComparison, type TurnContradiction } from "./compare-turns.ts";
import type { Turn } from "./read-turn.ts";

/** What each finding about two turns means and what to do about it. */
export const TURN_RULES: Readonly<Record<string, Rule>> = {
  agent: { summary: "The turns are of two agents", help: "Compare turns of one agent." },
  template: {
    summary: "The agent's template changed",
    help: "A tool, a toolkit or the agent's instructions were edited. Review the change, then take the new static hash.",
  },
  "tool-removed": {
    summary: "A tool is no longer enabled",
    help: "A policy denied it, or it is not defined any more. Look at the policies of the tool and of its toolkits.",
  },
  "tool-added": {
    summary: "A tool is newly enabled",
    help: "A policy allowed it, a dynamic toolkit created it, or it was added. Make sure that the agent may have it.",
  },
  "tool-changed": {
    summary: "A tool has another definition, or is bound to something else",
    help: "Review its name, description, schema, instructions and policies. Snapshots of both turns show which changed.",
  },
  "runtime-hash": {
    summary: "The runtime hashes and the tools of the turns contradict each other",
    help: "Do not rely on either link: look for who edited it. Links that were sorted in another order than each other differ so too.",
  },
  "definition-digest": {
    summary: "What stands in a snapshot does not have the digest that its link records",
    help: "Do not rely on the snapshot: look for who edited it, or make it again.",
  },
  "opaque-schema": {
    summary: "The schema of a tool is hashed as its vendor and version only",
    help: "Whether it changed cannot be told. Give the tool a schema that can write its JSON Schema, and set requireTransparentSchemas.",
  },
  instructions: {
    summary: "The model is told something else, or a link does not say what it was told",
    help: "Look at the instructions of dynamic toolkits. Snapshots of both turns show the texts.",
  },
  invocation: { summary: "The turns were bound to different invocation contexts", help: "Look at what was invoked." },
  name: { summary: "The agent has another display name", help: "Nothing else follows from it." },
};

/** Every difference between two turns, as findings. */
export function turnsToReport(before: Turn, after: Turn): Report {
  const { outcome, ...explained } = compareTurns(before, after);
  const { fields, tools } = explained;
  const agent = before.link.agentName;
  const findings: Finding[] = [
    ...fields.changed.flatMap(({ field, first, second }): Finding[] => {
      const rule = FIELD_RULES[field];
      if (rule === undefined) return [];
      const texts = [before.snapshot?.instructions, after.snapshot?.instructions];
      const showsTexts = field === "instructionsHash" && !texts.includes(undefined);
      const [was, is] = showsTexts ? texts : [first, second];
      const sides = { ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) };
      return [{ ...rule, subject: agent, pointer: `/${field}`, ...sides }];
    }),
    ...(fields.undecided.includes("instructionsHash") ? [instructionsMissing(agent)] : []),
    ...(explained.contradiction ? [contradictionFinding(before, after)] : []),
    ...explained.contradictions.map((contradiction) => snapshotFinding(agent, contradiction)),
    ...explained.opaqueSchemas.map((toolKey) => opaqueFinding(agent, toolKey)),
    ...tools.onlyInFirst.map((ref) => toolFinding(agent, "tool-removed", "tool is no longer enabled", ref, "before")),
    ...tools.onlyInSecond.map((ref) => toolFinding(agent, "tool-added", "tool is newly enabled", ref, "after")),
    ...tools.hashChanged
      .filter(({ toolKey }) => !explained.definitions.some((changed) => changed.toolKey === toolKey))
      .map(({ toolKey, firstHash, secondHash }) => ({
        ...changedTool(agent, toolKey),
        message: "tool is another one",
        before: firstHash,
        after: secondHash,
      })),
    ...explained.definitions.map((changed) => definitionFinding(agent, changed)),
  ];
  const names = new Set([
    ...[...before.link.toolRefs, ...after.link.toolRefs].map(({ toolKey }) => toolKey),
    ...explained.opaqueSchemas,
  ]);
  return {
    command: "agentprint capabilities diff",
    title: `${before.file} → ${after.file}`,
    summary: explained.summary,
    outcome,
    findings,
    rules: TURN_RULES,
    checked: [agent, ...[...names].map((name) => subjectOf(agent, name))],
    data: { before: before.file, after: after.file, ...explained, changes: changesOf(findings) },
  };
}

/** The values behind the hashes, which a link does not have and snapshots do. */
function changesOf(findings: readonly Finding[]): object[] {
  return findings.flatMap(({ ruleId, subject, pointer, before, after }) =>
    ruleId === "tool-changed" && pointer !== undefined ? [{ subject, pointer, before, after }] : [],
  );
}

type FieldRule = Pick<Finding, "ruleId" | "level" | "message">;
const FIELD_RULES: Readonly<Record<string, FieldRule>> = {
  agentId: { ruleId: "agent", level: "error", message: "the turns are of two agents" },
  agentName: { ruleId: "name", level: "note", message: "the display name differs" },
  staticHash: { ruleId: "template", level: "error", message: "the agent's template changed" },
  invocationHash: { ruleId: "invocation", level: "warning", message: "the invocation context differs" },
  instructionsHash: { ruleId: "instructions", level: "error", message: "the model is told something else" },
};

function changedTool(agent: string, toolKey: string): Pick<Finding, "ruleId" | "level" | "subject"> {
  return { ruleId: "tool-changed", level: "error", subject: subjectOf(agent, toolKey) };
}

function definitionFinding(agent: string, changed: TurnComparison["definitions"][number]): Finding {
  const { toolKey, field, before, after } = changed;
  const sides = { before: before as JsonValue, after: after as JsonValue };
  return { ...changedTool(agent, toolKey), message: `${field} changed`, ...sides, pointer: `/${field}` };
}

function opaqueFinding(agent: string, toolKey: string): Finding {
  return {
    ruleId: "opaque-schema",
    level: "warning",
    message: "the schema is hashed as its vendor and version only: whether it changed cannot be told",
    subject: subjectOf(agent, toolKey),
    pointer: "/inputSchema",
    couldNotTell: true,
  };
}

function instructionsMissing(agent: string): Finding {
  return {
    ruleId: "instructions",
    level: "warning",
    message: "a link does not say what the model was told: it was not compared",
    subject: agent,
    pointer: "/instructionsHash",
    couldNotTell: true,
  };
}

function snapshotFinding(agent: string, contradiction: TurnContradiction): Finding {
  const { toolKey, field, recorded, recomputed, file } = contradiction;
  return {
    ruleId: "definition-digest",
    level: "error",
    message: contradictionText(contradiction).slice(0, -1),
    subject: toolKey === undefined ? agent : subjectOf(agent, toolKey),
    pointer: `/${field}`,
    note: `${file} records ${recorded ?? "no digest"}; what it holds has ${recomputed}.`,
  };
}

function contradictionFinding({ link: first }: Turn, { link: second }: Turn): Finding {
  const sameHash = first.runtimeHash === second.runtimeHash;
  return {
    ruleId: "runtime-hash",
    level: "error",
    message: sameHash
      ? "the runtime hash is the same, but the tools differ"
      : "the runtime hash differs, but the tools are the same",
    subject: first.agentName,
    pointer: "/runtimeHash",
    ...(!sameHash && { before: first.runtimeHash, after: second.runtimeHash }),
  };
}

function subjectOf(agent: string, tool: string): string {
  return `${agent} › ${tool}`;
}

function toolFinding(
  agent: string,
  ruleId: string,
  message: string,
  { toolKey, toolHash }: ToolRef,
  side: "before" | "after",
): Finding {
  return { ruleId, level: "error", message, subject: subjectOf(agent, toolKey), [side]: toolHash };
}
