import { compareSchemas, SchemaDiffError } from "@agentprint/schema-diff";
import type { Fact } from "./change.ts";

/** A change of an `input_schema` with what it means for calls; any other fact as it is. */
export function judgeSchema(fact: Fact): Fact {
  if (fact.kind !== "input_schema_changed") return fact;
  try {
    return { ...fact, compatibility: compareSchemas(fact.before, fact.after, { direction: "input" }) };
  } catch (error) {
    if (!(error instanceof SchemaDiffError)) throw error;
    const note = { code: "not-proven", path: error.path, message: error.message } as const;
    return { ...fact, compatibility: { verdict: "unknown", changes: [], notes: [note] } };
  }
}
