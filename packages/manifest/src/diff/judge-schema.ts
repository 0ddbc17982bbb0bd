import { compareSchemas, SchemaDiffError, type StepBudget } from "@agentprint/schema-diff";
import type { Fact } from "./change.ts";

/** Steps that all schemas of one diff share, about two seconds: a hostile manifest has room for hundreds of tools. */
export const DIFF_STEPS = 4_000_000;

/** A change of an `input_schema` with what it means for calls; any other fact as it is. */
export function judgeSchema(fact: Fact, budget: StepBudget): Fact {
  if (fact.kind !== "input_schema_changed") return fact;
  try {
    const compatibility = compareSchemas(fact.before, fact.after, { direction: "input", values: "objects", budget });
    return { ...fact, compatibility };
  } catch (error) {
    if (!(error instanceof SchemaDiffError)) throw error;
    const note = { code: "not-proven", path: error.path, message: error.message } as const;
    return { ...fact, compatibility: { verdict: "unknown", changes: [], notes: [note] } };
  }
}
