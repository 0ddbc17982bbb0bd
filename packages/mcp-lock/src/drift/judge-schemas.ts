import { isSameJson, type JsonValue } from "@agentprint/canonical-json";
import { compareSchemas, SchemaDiffError, StepBudget } from "@agentprint/schema-diff";
import { MAX_STEPS, MAX_STEPS_OF_TOOL } from "../limits.ts";
import type { LockedTool } from "../lock/lock.ts";
import { toolLayers } from "../tool/tool-layers.ts";

/** Whether a change of one schema of a tool lets callers go on as before. */
export interface SchemaVerdict {
  readonly schema: "inputSchema" | "outputSchema";
  /** `unknown` also when a schema cannot be read. */
  readonly verdict: "compatible" | "breaking" | "unknown";
  /** A call that was accepted before and is rejected after, or a result that was not possible before; only with `breaking`. */
  readonly counterexample?: JsonValue;
}

/** Arguments are objects in every version of the protocol; a result can be any value. */
const SCHEMAS = [
  ["inputSchema", { direction: "input", values: "objects" }],
  ["outputSchema", { direction: "output", values: "any" }],
] as const;

/**
 * Judges the changed tools of one server, each change once however many sessions were shown it. The steps that one tool
 * leaves of its share are divided among the tools after it.
 */
export class SchemaJudge {
  readonly #budget = new StepBudget(MAX_STEPS);
  readonly #known = new Map<string, SchemaVerdict[]>();
  #toolsToCome = 0;

  /** Sets how many tools are judged next: they share the steps that are left. */
  expect(tools: number): void {
    this.#toolsToCome = tools;
  }

  /** The verdicts on the schemas that two versions of a tool have and that differ. */
  judge(before: LockedTool, after: LockedTool): SchemaVerdict[] {
    const share = this.#budget.left / Math.max(1, this.#toolsToCome--);
    const key = `${before.digests.contract} ${after.digests.contract}`;
    const verdicts = this.#known.get(key) ?? this.#compare(before, after, Math.min(share, MAX_STEPS_OF_TOOL));
    this.#known.set(key, verdicts);
    return verdicts;
  }

  #compare(before: LockedTool, after: LockedTool, steps: number): SchemaVerdict[] {
    const budget = new StepBudget(steps, this.#budget);
    const [contractBefore, contractAfter] = [before, after].map(({ definition }) => toolLayers(definition).contract);
    return SCHEMAS.flatMap(([schema, options]): SchemaVerdict[] => {
      const [schemaBefore, schemaAfter] = [contractBefore?.[schema], contractAfter?.[schema]];
      if (schemaBefore === undefined || schemaAfter === undefined || isSameJson(schemaBefore, schemaAfter)) return [];
      try {
        const { verdict, counterexample } = compareSchemas(schemaBefore, schemaAfter, { ...options, budget });
        return [{ schema, verdict, ...(counterexample && { counterexample: counterexample.value }) }];
      } catch (error) {
        if (error instanceof SchemaDiffError) return [{ schema, verdict: "unknown" }];
        throw error;
      }
    });
  }
}
