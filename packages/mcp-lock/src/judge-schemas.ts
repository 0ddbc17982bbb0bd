import { canonicalize, type JsonValue } from "@agentprint/canonical-json";
import { compareSchemas, SchemaDiffError, StepBudget } from "@agentprint/schema-diff";
import type { JsonObject } from "./snapshot.ts";

/** Whether callers of a tool can go on as before, as far as one of its schemas is concerned. */
export interface SchemaVerdict {
  readonly schema: "inputSchema" | "outputSchema";
  /** `unknown` also when a schema cannot be read. */
  readonly verdict: "compatible" | "breaking" | "unknown";
  /** A call that was valid and is rejected now, or a result that was not possible before; only with `breaking`. */
  readonly counterexample?: JsonValue;
}

/** Steps for all the tools of a server together, about two seconds: a hostile one may change ten thousand. */
const MAX_STEPS = 4_000_000;
const MAX_STEPS_EACH = 2_000_000;

/** Arguments are objects in every version of the protocol; a result can be any value. */
const SCHEMAS = [
  ["inputSchema", { direction: "input", values: "objects" }],
  ["outputSchema", { direction: "output", values: "any" }],
] as const;

/** Judges the changed tools of one server. What one of them leaves of its share of steps is shared by those after it. */
export class SchemaJudge {
  readonly #budget = new StepBudget(MAX_STEPS);
  #tools: number;

  /** @param tools How many tools there are to judge. */
  constructor(tools: number) {
    this.#tools = tools;
  }

  /** The verdicts on the schemas that two contracts of a tool have and that differ. */
  judge(before: JsonObject, after: JsonObject): SchemaVerdict[] {
    const share = this.#budget.left / this.#tools--;
    const budget = new StepBudget(Math.min(share, MAX_STEPS_EACH), this.#budget);
    return SCHEMAS.flatMap(([schema, options]): SchemaVerdict[] => {
      const [old, now] = [before[schema], after[schema]];
      if (old === undefined || now === undefined || canonicalize(old) === canonicalize(now)) return [];
      try {
        const { verdict, counterexample } = compareSchemas(old, now, { ...options, budget });
        return [{ schema, verdict, ...(counterexample && { counterexample: counterexample.value }) }];
      } catch (error) {
        if (error instanceof SchemaDiffError) return [{ schema, verdict: "unknown" }];
        throw error;
      }
    });
  }
}
