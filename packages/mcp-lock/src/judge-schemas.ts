import { canonicalize, type JsonValue } from "@agentprint/canonical-json";
import { compareSchemas, SchemaDiffError } from "@agentprint/schema-diff";
import type { JsonObject } from "./snapshot.ts";

/** Whether callers of a tool can go on as before, as far as one of its schemas is concerned. */
export interface SchemaVerdict {
  readonly schema: "inputSchema" | "outputSchema";
  /** `unknown` also when a schema cannot be read. */
  readonly verdict: "compatible" | "breaking" | "unknown";
  /** A call that was valid and is rejected now, or a result that was not possible before; only with `breaking`. */
  readonly counterexample?: JsonValue;
}

/** Steps for all the tools of a server together: a hostile one may change ten thousand. */
const MAX_STEPS = 10_000_000;
const MAX_STEPS_EACH = 1_000_000;

const DIRECTIONS = [
  ["inputSchema", "input"],
  ["outputSchema", "output"],
] as const;

/** The verdicts on the schemas that two contracts of a tool have and that differ; it is one of so many `tools`. */
export function judgeSchemas(before: JsonObject, after: JsonObject, tools: number): SchemaVerdict[] {
  const maxSteps = Math.min(MAX_STEPS_EACH, MAX_STEPS / tools);
  return DIRECTIONS.flatMap(([schema, direction]): SchemaVerdict[] => {
    const [old, now] = [before[schema], after[schema]];
    if (old === undefined || now === undefined || canonicalize(old) === canonicalize(now)) return [];
    try {
      const { verdict, counterexample } = compareSchemas(old, now, { direction, maxSteps });
      return [{ schema, verdict, ...(counterexample && { counterexample: counterexample.value }) }];
    } catch (error) {
      if (error instanceof SchemaDiffError) return [{ schema, verdict: "unknown" }];
      throw error;
    }
  });
}
