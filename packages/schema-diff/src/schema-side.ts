import type { JsonValue } from "@agentprint/canonical-json";
import type { StepBudget } from "./budget.ts";
import { type CompiledSchema, compileSchema } from "./compile/compiler.ts";
import { copyJson } from "./compile/copy-json.ts";
import { Confirmation } from "./confirm/confirm.ts";

/** One of the two schemas of a comparison. It is copied, compiled and read for confirmations once, when that is first needed. */
export class SchemaSide {
  readonly which: "before" | "after";
  readonly schema: unknown;
  #copy: { readonly text: string; readonly value: JsonValue } | undefined;
  #compiled: CompiledSchema | undefined;
  #confirmation: Confirmation | undefined;

  constructor(schema: unknown, which: "before" | "after") {
    this.schema = schema;
    this.which = which;
  }

  /**
   * The canonical text of the schema.
   *
   * @throws {@link SchemaDiffError} if the schema is not JSON, too deep or too large.
   */
  text(budget: StepBudget): string {
    return this.#copied(budget).text;
  }

  /**
   * The schema as a graph; `undefined` when the budget is used up.
   *
   * @throws {@link SchemaDiffError} if the schema cannot be read.
   */
  compiled(budget: StepBudget): CompiledSchema | undefined {
    this.#compiled ??= compileSchema(this.#copied(budget).value, this.which, budget);
    return this.#compiled;
  }

  /** Whether a second reading of the schema as it is written has the expected verdict on a value. */
  confirms(value: JsonValue, expected: boolean, budget: StepBudget): boolean {
    this.#confirmation ??= new Confirmation(this.#copied(budget).value);
    return this.#confirmation.confirms(value, expected, budget);
  }

  #copied(budget: StepBudget): { readonly text: string; readonly value: JsonValue } {
    this.#copy ??= copyJson(this.schema, this.which, budget);
    return this.#copy;
  }
}
