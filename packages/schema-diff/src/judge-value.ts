import type { JsonValue } from "@agentprint/canonical-json";
import { StepBudget, withinBudget } from "./budget.ts";
import { compileSchema } from "./compile/compile-schema.ts";
import { copyJson } from "./compile/json.ts";
import { confirms } from "./confirm/confirm.ts";
import { Evaluator } from "./evaluate.ts";

const JUDGE_STEPS = 2_000_000;

/**
 * Says whether a schema of unknown origin accepts a value. `rejected` is confirmed by ajv; `unknown` is said where
 * validators differ, and where the answer would take more steps than the budget has.
 *
 * @param schema An object or a boolean of draft-04 to 2020-12.
 * @param budget Steps, which can be shared by many values. Default 2,000,000, about a second.
 * @throws {SchemaDiffError} `not-json`, `invalid-schema`, `schema-too-deep`, `schema-too-large`; `schema` is `before` for
 *   the value and `after` for the schema.
 * @example
 * ```ts
 * import { judgeValue } from "@agentprint/schema-diff";
 *
 * const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
 * console.log(judgeValue(schema, { path: "a" })); // "accepted"
 * console.log(judgeValue(schema, {})); // "rejected"
 * console.log(judgeValue({ format: "email" }, "a")); // "unknown"
 * ```
 */
export function judgeValue(
  schema: unknown,
  value: JsonValue,
  budget: StepBudget = new StepBudget(JUDGE_STEPS),
): "accepted" | "rejected" | "unknown" {
  if (budget.isExhausted) return "unknown";
  const { value: copy } = copyJson(value, "before", budget);
  const { value: document } = copyJson(schema, "after", budget);
  const compiled = compileSchema(document, "after", budget);
  const truth = compiled && withinBudget(() => new Evaluator(budget).node(compiled.root, copy));
  if (truth) return "accepted";
  return truth === false && confirms(document, copy, false, budget) ? "rejected" : "unknown";
}
