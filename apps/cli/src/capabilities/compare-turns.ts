import {
  type CapabilityLinkExplanation,
  diffCapabilitySnapshots,
  explainCapabilityLinkRelationship,
  findSnapshotContradictions,
  type SnapshotContradiction,
} from "@agentprint/agent-capabilities";
import type { Turn } from "./read-turn.ts";
import { compatibilityText, type JudgedDefinition, judgeSchemas } from "./schema-compatibility.ts";

/** A digest in a link that the snapshot around the link contradicts. */
export interface TurnContradiction extends SnapshotContradiction {
  readonly file: string;
}

/** The relation between two turns: their links, and the contents of their snapshots. */
export interface TurnComparison extends CapabilityLinkExplanation {
  /** Parts of tool definitions that differ, regardless of the links; empty unless both turns are snapshots. */
  readonly definitions: readonly JudgedDefinition[];
  readonly contradictions: readonly TurnContradiction[];
  /** Whether anything differs, even if it causes no finding: a name, or only a digest. */
  readonly differs: boolean;
}

/** Compares two turns. The links are never trusted, so the snapshots' contents are compared and hashed again. */
export function compareTurns(before: Turn, after: Turn): TurnComparison {
  const explained = explainCapabilityLinkRelationship(before.link, after.link);
  const snapshots =
    before.snapshot && after.snapshot ? diffCapabilitySnapshots(before.snapshot, after.snapshot) : undefined;
  const definitions = snapshots === undefined ? [] : judgeSchemas(snapshots);
  const contradictions = [before, after].flatMap(({ file, snapshot }) =>
    snapshot === undefined
      ? []
      : findSnapshotContradictions(snapshot).map((contradiction) => ({ ...contradiction, file })),
  );
  const differs =
    (explained.relationship !== "same" && explained.relationship !== "cannot-tell") ||
    definitions.length + contradictions.length > 0 ||
    snapshots?.instructionsDiffer === true;
  return {
    ...explained,
    summary: [explained.summary, ...snapshotSummary(explained, definitions, contradictions)].join(" "),
    details: [...explained.details, ...definitions.map(definitionText), ...contradictions.map(contradictionText)],
    definitions,
    contradictions,
    differs,
  };
}

function definitionText(definition: JudgedDefinition): string {
  const changed = `The ${definition.field} of tool ${JSON.stringify(definition.toolKey)} changed.`;
  const compatibility = compatibilityText(definition);
  return compatibility === undefined ? changed : `${changed} ${compatibility}.`;
}

function snapshotSummary(
  { tools }: CapabilityLinkExplanation,
  definitions: TurnComparison["definitions"],
  { length }: readonly TurnContradiction[],
): string[] {
  const unexplained = definitions.filter(({ toolKey }) => !tools.hashChanged.some((tool) => tool.toolKey === toolKey));
  return [
    ...(unexplained.length > 0 ? ["Yet tool definitions in the snapshots differ."] : []),
    ...(length > 0 ? ["A snapshot contradicts its own link: trust neither."] : []),
  ];
}

/** Returns one sentence about a contradiction. */
export function contradictionText({ file, field, toolKey }: TurnContradiction): string {
  switch (field) {
    case "toolHash":
      return `The definition of tool ${JSON.stringify(toolKey)} in ${file} does not have the digest that its link records.`;
    case "runtimeHash":
      return `The runtime hash in ${file} does not match its tools.`;
    case "instructionsHash":
      return `The instructions in ${file} do not have the digest that its link records.`;
  }
}
