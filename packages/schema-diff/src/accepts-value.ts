import type { JsonValue } from "@agentprint/canonical-json";
import { StepBudget } from "./budget.ts";
import { checkArgument } from "./check-argument.ts";
import { copyJson } from "./compile/copy-json.ts";
import { explainRejection, type RejectedPlace } from "./explain-rejection.ts";
import { MAX_VERDICT_STEPS } from "./limits.ts";
import { type SchemaNote, valueNotes } from "./notes.ts";
import { ValueJudge } from "./value-judge.ts";

export interface AcceptsValueOptions {
  /** The number of steps that the evaluation may take; about two million take a second. Default 2,000,000. */
  readonly maxSteps?: number;
  /** A budget shared with other evaluations. When it has no steps left, the verdict is `unknown`. */
  readonly budget?: StepBudget;
}

/** The result of {@link acceptsValue}. */
export type ValueVerdict =
  | { readonly verdict: "accepts" }
  /** `places` has 1 to 100 places in the order in which they occur in the value, with member names sorted. */
  | { readonly verdict: "rejects"; readonly places: readonly RejectedPlace[] }
  /** `notes` says why; it is never empty. */
  | { readonly verdict: "unknown"; readonly notes: readonly SchemaNote[] };

/**
 * Returns whether a schema of unknown origin accepts a value. The verdict `rejects` is confirmed by a second reading of
 * the schema. The verdict is `unknown` when validators differ on the value, or when a verdict would take more steps
 * than the limit.
 *
 * The function fetches nothing, runs patterns without backtracking, and counts its work in steps instead of measuring time.
 *
 * @param schema An object or a boolean of draft-04 to 2020-12.
 * @param value A JSON value.
 * @throws {@link SchemaDiffError} `not-json`, `invalid-schema`, `schema-too-deep`, `schema-too-large` when one of the
 *   two arguments cannot be read. The error's member `schema` names the argument: `"schema"` or `"value"`.
 * @example
 * ```ts
 * import { acceptsValue } from "@agentprint/schema-diff";
 *
 * const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
 * console.log(acceptsValue(schema, { path: "a" }).verdict); // accepts
 *
 * const rejected = acceptsValue(schema, { path: 1 });
 * const [place] = rejected.verdict === "rejects" ? rejected.places : [];
 * console.log(place?.valuePath, place?.path); // /path /properties/path/type
 *
 * const unknown = acceptsValue({ format: "email" }, "a");
 * if (unknown.verdict === "unknown") console.log(unknown.notes[0]?.code); // format
 * ```
 */
export function acceptsValue(schema: unknown, value: unknown, options: AcceptsValueOptions = {}): ValueVerdict {
  const { maxSteps = MAX_VERDICT_STEPS, budget: shared } = options;
  const budget = new StepBudget(maxSteps, shared);
  if (budget.isExhausted) return outOfSteps();
  const { value: copy } = copyJson(value, "value", budget);
  const judge = ValueJudge.of(schema, budget);
  return judge ? evaluate(judge, copy, budget) : outOfSteps();
}

/** The options of {@link createValueEvaluator}. */
export interface ValueEvaluatorOptions {
  /**
   * The number of steps for compiling the schema, and again for each value; about two million take a second. Default
   * 2,000,000.
   */
  readonly maxSteps?: number;
  /**
   * Whether the values come from a JSON parser. Such values are not copied before the evaluation, which saves most of
   * the time that a small value takes. Default `false`.
   */
  readonly areParsed?: boolean;
}

/**
 * Compiles a schema once in order to evaluate many values as {@link acceptsValue} does.
 *
 * @param schema An object or a boolean of draft-04 to 2020-12.
 * @returns A function that evaluates one value. It throws as `acceptsValue` does when the value is not JSON.
 * @throws {@link SchemaDiffError} `not-json`, `invalid-schema`, `schema-too-deep`, `schema-too-large` when the schema cannot be read.
 * @example
 * ```ts
 * import { createValueEvaluator } from "@agentprint/schema-diff";
 *
 * const evaluate = createValueEvaluator({ type: "object", properties: { path: { type: "string" } } });
 * console.log(evaluate({ path: "a" }).verdict, evaluate({ path: 1 }).verdict); // accepts rejects
 * ```
 */
export function createValueEvaluator(
  schema: unknown,
  options: ValueEvaluatorOptions = {},
): (value: unknown) => ValueVerdict {
  checkArgument("options", options, "object");
  const { maxSteps = MAX_VERDICT_STEPS, areParsed = false } = options;
  const judge = ValueJudge.of(schema, new StepBudget(maxSteps));
  if (!judge) return outOfSteps;
  return (value) => {
    const budget = new StepBudget(maxSteps);
    return evaluate(judge, areParsed ? (value as JsonValue) : copyJson(value, "value", budget).value, budget);
  };
}

const outOfSteps = (): ValueVerdict => ({ verdict: "unknown", notes: valueNotes([], "budget") });

function evaluate(judge: ValueJudge, value: JsonValue, budget: StepBudget): ValueVerdict {
  const { verdict, doubt } = judge.verdictOn(value, budget);
  if (verdict === "unknown") return { verdict, notes: valueNotes(judge.compiled.compiler.obstacles(), doubt) };
  if (verdict === "accepts") return { verdict };
  return { verdict, places: explainRejection(judge.compiled, value, budget) };
}
