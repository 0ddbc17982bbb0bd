import type { JsonValue } from "@agentprint/canonical-json";
import { StepBudget, withinBudget } from "../budget.ts";
import { MAX_CONFIRM_STEPS } from "../limits.ts";
import { SchemaRefused } from "./application.ts";
import { Interpreter } from "./interpreter.ts";

/** Confirms verdicts on values with the interpreter, which reads the schema only once, as written. */
export class Confirmation {
  readonly #schema: JsonValue;
  #interpreter: Interpreter | undefined;

  constructor(schema: JsonValue) {
    this.#schema = schema;
  }

  /**
   * Returns whether the interpreter gives the expected verdict on the value; `false` also if that would take too many
   * steps or the interpreter refuses the schema.
   */
  confirms(value: JsonValue, expected: boolean, total: StepBudget): boolean {
    const budget = new StepBudget(MAX_CONFIRM_STEPS, total);
    try {
      const accepted = withinBudget(() => {
        this.#interpreter ??= new Interpreter(this.#schema, budget);
        return this.#interpreter.accepts(value, budget);
      });
      return accepted === expected;
    } catch (error) {
      if (error instanceof SchemaRefused) return false;
      throw error;
    }
  }
}
