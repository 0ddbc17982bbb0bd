import type { JsonValue } from "@agentprint/canonical-json";
import { StepBudget } from "../../src/budget.ts";
import { copyJson } from "../../src/compile/copy-json.ts";
import { Interpreter } from "../../src/confirm/interpreter.ts";

/** Returns the interpreter for a schema, which is copied as the package's functions copy it. */
export function interpreterOf(schema: unknown, budget: StepBudget): Interpreter {
  return new Interpreter(copyJson(schema, "schema", new StepBudget(1_000_000)).value, budget);
}

/** Returns whether the interpreter by itself accepts a value. */
export function accepts(schema: unknown, value: unknown, steps = 1_000_000): boolean {
  const budget = new StepBudget(steps);
  return interpreterOf(schema, budget).accepts(value as JsonValue, budget);
}
