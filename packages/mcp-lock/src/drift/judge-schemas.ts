import { isSameJson, type JsonValue } from "@agentprint/canonical-json";
import { compareSchemas, SchemaDiffError, StepBudget } from "@agentprint/schema-diff";
import type { LockedTool } from "../lock/lock.ts";
import { toolLayers } from "../tool/tool-layers.ts";

/** Whether callers of a tool can go on as before, as far as one of its schemas is concerned. */
export interface SchemaVerdict {
  readonly schema: "inputSchema" | "outputSchema";
  /** `unknown` also when a schema cannot be read. */
  readonly verdict: "compatible" | "breaking" | "unknown";
  /** A call that was valid and is rejected now, or a result that was not possible before; only with `breaking`. */
  readonly counterexample?: JsonValue;
}

/** Steps for all the tools of a server in all its sessions, about two seconds: a hostile one may change ten thousand. */
const MAX_STEPS = 4_000_000;
const MAX_STEPS_EACH = 2_000_000;

/** Arguments are objects in every version of the protocol; a result can be any value. */
const SCHEMAS = [
  ["inputSchema", { direction: "input", values: "objects" }],
  ["outputSchema", { direction: "output", values: "any" }],
] as const;

/**
 * Judges the changed tools of one server, each change once, whichever sessions see it. What one tool leaves of its share
 * of steps is shared by those after it.
 */
export class SchemaJudge {
  readonly #budget = new StepBudget(MAX_STEPS);
  readonly #known = new Map<string, SchemaVerdict[]>();
  #tools = 0;

  /** Says how many tools are judged next, which share what is left. */
  expect(tools: number): void {
    this.#tools = tools;
  }

  /** The verdicts on the schemas that two versions of a tool have and that differ. */
  judge(before: LockedTool, after: LockedTool): SchemaVerdict[] {
    const share = this.#budget.left / Math.max(1, this.#tools--);
    const key = `${before.digests.contract} ${after.digests.contract}`;
    const verdicts = this.#known.get(key) ?? this.#compare(before, after, Math.min(share, MAX_STEPS_EACH));
    this.#known.set(key, verdicts);
    return verdicts;
  }

  #compare(before: LockedTool, after: LockedTool, steps: number): SchemaVerdict[] {
    const budget = new StepBudget(steps, this.#budget);
    const [old, now] = [toolLayers(before.definition).contract, toolLayers(after.definition).contract];
    return SCHEMAS.flatMap(([schema, options]): SchemaVerdict[] => {
      const [was, is] = [old[schema], now[schema]];
      if (was === undefined || is === undefined || isSameJson(was, is)) return [];
      try {
        const { verdict, counterexample } = compareSchemas(was, is, { ...options, budget });
        return [{ schema, verdict, ...(counterexample && { counterexample: counterexample.value }) }];
      } catch (error) {
        if (error instanceof SchemaDiffError) return [{ schema, verdict: "unknown" }];
        throw error;
      }
    });
  }
}
