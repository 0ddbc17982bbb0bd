import type { ToolRef } from "@agentprint/agent-capabilities";
import { TURN_RULES, type TurnRuleId } from "@agentprint/agent-capabilities/rules";
import type { JsonValue } from "@agentprint/canonical-json";
import { type Finding, findingKinds, outcomeOf, type Report } from "@agentprint/findings";
import { contradictionText, type TurnComparison, type TurnContradiction } from "../capabilities/compare-turns.ts";
import type { Turn } from "../capabilities/read-turn.ts";
import { compatibilityText, type JudgedDefinition } from "../capabilities/schema-compatibility.ts";

/** Returns the report on two turns, with every difference as a finding. */
export function turnsToReport(before: Turn, after: Turn, comparison: TurnComparison): Report {
  const { differs, ...explained } = comparison;
  const { fields, tools } = explained;
  const agent = before.link.agentName;
  const findings: Finding[] = [
    ...fields.changed.flatMap(({ field, first, second }): Finding[] => {
      const change = FIELD_CHANGES[field];
      if (change === undefined) return [];
      const texts = [before.snapshot?.instructions, after.snapshot?.instructions];
      const showsTexts = field === "instructionsHash" && !texts.includes(undefined);
      const [valueBefore, valueAfter] = showsTexts ? texts : [first, second];
      const sides = {
        ...(valueBefore !== undefined && { before: valueBefore }),
        ...(valueAfter !== undefined && { after: valueAfter }),
      };
      return [{ ...byRule(...change), place: { subject: agent, pointer: `/${field}` }, ...sides }];
    }),
    ...(fields.undecided.includes("instructionsHash") ? [instructionsMissing(agent)] : []),
    ...(explained.contradiction ? [contradictionFinding(before, after)] : []),
    ...explained.contradictions.map((contradiction) => snapshotFinding(agent, contradiction)),
    ...explained.opaqueSchemas.map((toolKey) => opaqueFinding(agent, toolKey)),
    ...tools.onlyInFirst.map((ref) =>
      toolFinding(agent, "capabilities/tool-removed", "tool is no longer enabled", ref, "before"),
    ),
    ...tools.onlyInSecond.map((ref) =>
      toolFinding(agent, "capabilities/tool-added", "tool is newly enabled", ref, "after"),
    ),
    ...tools.hashChanged
      .filter(({ toolKey }) => !explained.definitions.some((changed) => changed.toolKey === toolKey))
      .map(({ toolKey, firstHash, secondHash }) => ({
        ...byRule("capabilities/tool-changed", "tool is a different one"),
        place: { subject: subjectOf(agent, toolKey) },
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
    // A new name is a note, and a difference in a digest alone is not a finding.
    ...(differs && outcomeOf({ findings }) === "same" && { differs: true }),
    findings,
    rules: TURN_RULES,
    checked: [agent, ...[...names].map((name) => subjectOf(agent, name))],
    data: { before: before.file, after: after.file, ...explained, changes: changesOf(findings) },
  };
}

/** Returns the values behind the hashes, which snapshots contain but links do not. */
function changesOf(findings: readonly Finding[]): object[] {
  return findings.flatMap(({ rule, place: { subject, pointer }, before, after }) =>
    rule === "capabilities/tool-changed" && pointer !== undefined ? [{ subject, pointer, before, after }] : [],
  );
}

const FIELD_CHANGES: Readonly<Record<string, readonly [rule: TurnRuleId, message: string]>> = {
  agentId: ["capabilities/agent-changed", "the turns belong to different agents"],
  agentName: ["capabilities/name-changed", "the display name differs"],
  staticHash: ["capabilities/template-changed", "the agent's template changed"],
  invocationHash: ["capabilities/invocation-changed", "the invocation context differs"],
  instructionsHash: ["capabilities/instructions-changed", "the model gets different instructions"],
};

const byRule = findingKinds(TURN_RULES);

function definitionFinding(agent: string, changed: JudgedDefinition): Finding {
  const { toolKey, field, before, after } = changed;
  const note = compatibilityText(changed);
  return {
    ...byRule("capabilities/tool-changed", `${field} changed`),
    place: { subject: subjectOf(agent, toolKey), pointer: `/${field}` },
    before: before as JsonValue,
    after: after as JsonValue,
    ...(note !== undefined && { note }),
  };
}

function opaqueFinding(agent: string, toolKey: string): Finding {
  return {
    ...byRule("capabilities/opaque-schema", "no digest covers the entire schema, so a change to it cannot be detected"),
    place: { subject: subjectOf(agent, toolKey), pointer: "/inputSchema" },
    couldNotTell: true,
  };
}

function instructionsMissing(agent: string): Finding {
  return {
    rule: "capabilities/instructions-changed",
    level: "warning",
    message: "a link does not record the model's instructions, so they were not compared",
    place: { subject: agent, pointer: "/instructionsHash" },
    couldNotTell: true,
  };
}

function snapshotFinding(agent: string, contradiction: TurnContradiction): Finding {
  const { toolKey, field, recorded, recomputed, file } = contradiction;
  return {
    ...byRule("capabilities/definition-digest-mismatch", contradictionText(contradiction).slice(0, -1)),
    place: { subject: toolKey === undefined ? agent : subjectOf(agent, toolKey), pointer: `/${field}` },
    note: `${file} records ${recorded ?? "no digest"}; what it holds has ${recomputed}.`,
  };
}

function contradictionFinding({ link: before }: Turn, { link: after }: Turn): Finding {
  const sameHash = before.runtimeHash === after.runtimeHash;
  return {
    ...byRule(
      "capabilities/runtime-hash-contradiction",
      sameHash
        ? "the runtime hash is the same, but the tools differ"
        : "the runtime hash differs, but the tools are the same",
    ),
    place: { subject: before.agentName, pointer: "/runtimeHash" },
    ...(!sameHash && { before: before.runtimeHash, after: after.runtimeHash }),
  };
}

function subjectOf(agent: string, tool: string): string {
  return `${agent} › ${tool}`;
}

function toolFinding(
  agent: string,
  rule: TurnRuleId,
  message: string,
  { toolKey, toolHash }: ToolRef,
  side: "before" | "after",
): Finding {
  return { ...byRule(rule, message), place: { subject: subjectOf(agent, toolKey) }, [side]: toolHash };
}
