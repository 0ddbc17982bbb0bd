import type { JsonValue } from "@agentprint/canonical-json";
import { StepBudget, withinBudget } from "../budget.ts";
import { type SchemaDiffArgument, SchemaDiffError } from "../errors.ts";
import type { Node } from "../node.ts";
import { Compiler } from "./compiler.ts";

const COMPILE_STEPS = 1_000_000;

export interface CompiledSchema {
  readonly compiler: Compiler;
  readonly root: Node;
}

/**
 * A schema as a graph of nodes; `undefined` where the budget does not suffice.
 *
 * @throws {SchemaDiffError} `schema-too-large` where a schema takes more than any real one, whatever the budget.
 */
export function compileSchema(
  schema: JsonValue,
  which: SchemaDiffArgument,
  total: StepBudget,
): CompiledSchema | undefined {
  const budget = new StepBudget(COMPILE_STEPS, total);
  const compiled = withinBudget(() => {
    const compiler = new Compiler(schema, which, budget);
    return { compiler, root: compiler.compile() };
  });
  if (compiled) return compiled;
  if (total.isExhausted) return undefined;
  throw new SchemaDiffError("schema-too-large", which, "", "expected fewer schemas, or shorter names around them");
}
