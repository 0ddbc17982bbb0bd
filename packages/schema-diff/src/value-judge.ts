import type { JsonValue } from "@agentprint/canonical-json";
import { StepBudget, withinBudget } from "./budget.ts";
import { type CompiledSchema, compileSchema } from "./compile/compiler.ts";
import { copyJson } from "./compile/copy-json.ts";
import { Confirmation } from "./confirm/confirm.ts";
import { Evaluator } from "./evaluate.ts";
import { MAX_VERDICT_STEPS } from "./limits.ts";
import type { Doubt } from "./notes.ts";

/**
 * Returns a function that judges many values by one schema as `acceptsValue` does, but without places and reasons. The
 * schema is read only once, when the first value is judged.
 *
 * @param schema An object or a boolean of draft-04 to 2020-12.
 * @param budget The steps for reading the schema and for all values; when none are left, the verdict is `unknown`.
 * @returns A function that judges one value. It throws as `acceptsValue` does.
 * @example
 * ```ts
 * import { createValueJudge, StepBudget } from "@agentprint/schema-diff";
 *
 * const judge = createValueJudge({ type: "string" }, new StepBudget(1_000_000));
 * console.log(judge("a"), judge(1)); // accepts rejects
 * ```
 */
export function createValueJudge(
  schema: unknown,
  budget: StepBudget,
): (value: unknown) => "accepts" | "rejects" | "unknown" {
  let judge: ValueJudge | undefined;
  return (value) => {
    const own = new StepBudget(MAX_VERDICT_STEPS, budget);
    if (own.isExhausted) return "unknown";
    const { value: copy } = copyJson(value, "value", own);
    judge ??= ValueJudge.of(schema, own);
    return judge?.verdictOn(copy, own).verdict ?? "unknown";
  };
}

/** A schema's verdict on a value, without the reasons for it. */
type Verdict =
  | { readonly verdict: "accepts" | "rejects"; readonly doubt?: never }
  | { readonly verdict: "unknown"; readonly doubt: Doubt };

/** Judges values by one schema, which is compiled once. */
export class ValueJudge {
  readonly compiled: CompiledSchema;
  readonly #confirmation: Confirmation;

  private constructor(compiled: CompiledSchema, document: JsonValue) {
    this.compiled = compiled;
    this.#confirmation = new Confirmation(document);
  }

  /**
   * Returns `undefined` if the steps are used up.
   *
   * @throws {@link SchemaDiffError} if the schema cannot be read.
   */
  static of(schema: unknown, budget: StepBudget): ValueJudge | undefined {
    const { value: document } = copyJson(schema, "schema", budget);
    const compiled = compileSchema(document, "schema", budget);
    return compiled && new ValueJudge(compiled, document);
  }

  verdictOn(value: JsonValue, budget: StepBudget): Verdict {
    const evaluated = withinBudget(() => ({ truth: new Evaluator(budget).node(this.compiled.root, value) }));
    if (evaluated?.truth) return { verdict: "accepts" };
    if (evaluated === undefined) return { verdict: "unknown", doubt: "budget" };
    if (evaluated.truth === undefined) return { verdict: "unknown", doubt: "not-proven" };
    if (this.#confirmation.confirms(value, false, budget)) return { verdict: "rejects" };
    return { verdict: "unknown", doubt: "unconfirmed" };
  }
}
