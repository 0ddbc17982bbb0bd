import type { CapabilitySnapshotsDiff } from "@agentprint/agent-capabilities";
import { canonicalize } from "@agentprint/canonical-json";
import { compareSchemas, type SchemaComparison, SchemaDiffError, StepBudget } from "@agentprint/schema-diff";

type DefinitionChange = CapabilitySnapshotsDiff["definitions"][number];

type Compatibility = Pick<SchemaComparison, "verdict" | "counterexample">;

/** A part of a tool's definition that differs. */
export interface JudgedDefinition extends DefinitionChange {
  /** For an `inputSchema`: whether valid calls stay valid, and a counterexample. */
  readonly compatibility?: Compatibility;
}

/** The maximum number of steps for all schemas of a diff, which take about two seconds. */
const MAX_STEPS = 4_000_000;

/**
 * Judges each changed `inputSchema`. A schema that no digest covers entirely may have changed in ways that the snapshot
 * does not show.
 */
export function judgeSchemas({ definitions, opaqueSchemas }: CapabilitySnapshotsDiff): JudgedDefinition[] {
  const budget = new StepBudget(MAX_STEPS);
  return definitions.map((change): JudgedDefinition => {
    if (change.field !== "inputSchema") return change;
    const isOpaque = opaqueSchemas.includes(change.toolKey);
    return { ...change, compatibility: isOpaque ? { verdict: "unknown" } : compare(change, budget) };
  });
}

function compare({ before, after }: DefinitionChange, budget: StepBudget): Compatibility {
  try {
    const { verdict, counterexample } = compareSchemas(before, after, { direction: "input", budget, want: "verdict" });
    return { verdict, ...(counterexample && { counterexample }) };
  } catch (error) {
    if (error instanceof SchemaDiffError) return { verdict: "unknown" };
    throw error;
  }
}

/** Returns the verdict in one sentence without a full stop; `undefined` for a part that is not a schema. */
export function compatibilityText({ compatibility }: JudgedDefinition): string | undefined {
  if (compatibility === undefined) return undefined;
  const { verdict, counterexample } = compatibility;
  if (verdict === "compatible") return "Compatible: every call that was valid still is";
  if (verdict === "unknown") return "Whether calls stay valid could not be determined";
  return `Breaking: arguments ${canonicalize(counterexample?.value)} were valid and are now rejected`;
}
