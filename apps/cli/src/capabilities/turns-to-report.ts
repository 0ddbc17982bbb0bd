import { explainCapabilityLinkRelationship, type ToolRef } from "@agentprint/agent-capabilities";
import type { JsonValue } from "@agentprint/canonical-json";
import type { Finding, Report, Rule } from "@agentprint/report";
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
  invocation: { summary: "The turns were bound to different invocation contexts", help: "Look at what was invoked." },
  name: { summary: "The agent has another display name", help: "Nothing else follows from it." },
};

/** Every difference between two turns, as findings. */
export function turnsToReport(before: Turn, after: Turn): Report {
  const explained = explainCapabilityLinkRelationship(before.link, after.link);
  const { fields, tools } = explained;
  const agent = before.link.agentName;
  const findings: Finding[] = [
    ...fields.changed.flatMap(({ field, first, second }): Finding[] => {
      const rule = FIELD_RULES[field];
      if (rule === undefined) return [];
      const sides = { ...(first !== undefined && { before: first }), ...(second !== undefined && { after: second }) };
      return [{ ...rule, subject: agent, pointer: `/${field}`, ...sides }];
    }),
    ...(explained.contradiction ? [contradictionFinding(before, after)] : []),
    ...tools.onlyInFirst.map((ref) => toolFinding(agent, "tool-removed", "tool is no longer enabled", ref, "before")),
    ...tools.onlyInSecond.map((ref) => toolFinding(agent, "tool-added", "tool is newly enabled", ref, "after")),
    ...tools.hashChanged.flatMap(({ toolKey, firstHash, secondHash }): Finding[] => {
      const changes = definitionChanges(toolKey, before, after);
      const finding = { ruleId: "tool-changed", level: "error", subject: subjectOf(agent, toolKey) } as const;
      if (changes.length === 0) {
        return [{ ...finding, message: "tool is another one", before: firstHash, after: secondHash }];
      }
      return changes.map((change) => ({
        ...finding,
        message: `${change.field} changed`,
        ...change.sides,
        pointer: `/${change.field}`,
      }));
    }),
  ];
  const outcome = explained.relationship === "same" ? "same" : "drift";
  const names = new Set([...before.link.toolRefs, ...after.link.toolRefs].map(({ toolKey }) => toolKey));
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
};

function contradictionFinding({ link: first }: Turn, { link: second }: Turn): Finding {
  const sameHash = first.runtimeHash === second.runtimeHash;
  return {
    ruleId: "runtime-hash",
    level: "error",
    message: sameHash
      ? "the runtime hash is the same, yet the tools differ"
      : "the runtime hash differs, yet the tools are the same",
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

interface DefinitionChange {
  readonly field: string;
  readonly sides: { readonly before: JsonValue; readonly after: JsonValue };
}

/** The fields of a tool that differ, when both turns are snapshots. */
function definitionChanges(name: string, before: Turn, after: Turn): DefinitionChange[] {
  const [first, second] = [before, after].map(({ tools }) => tools?.find((tool) => tool.name === name));
  if (first === undefined || second === undefined) return [];
  return (Object.keys(first) as (keyof typeof first)[])
    .map((field) => ({ field, sides: { before: first[field] as JsonValue, after: second[field] as JsonValue } }))
    .filter(({ sides }) => JSON.stringify(sides.before) !== JSON.stringify(sides.after));
}
