import type { JsonValue } from "@agentprint/canonical-json";
import { toPointer } from "@agentprint/canonical-json";
import { acceptsValue, SchemaDiffError, StepBudget } from "@agentprint/schema-diff";
import type { ManifestTool } from "../capability-manifest.ts";
import { ManifestError } from "../errors.ts";
import { member, show } from "../json.ts";
import { MAX_CALL_STEPS } from "../limits.ts";

/**
 * Refuses a call's arguments if the tool's `input_schema` definitely rejects them.
 *
 * The schema may come from anyone, so {@link acceptsValue} counts its work in steps, runs patterns without backtracking
 * and fetches nothing. If it returns `unknown` (because of a `format`, or because the work takes too many steps), the
 * arguments pass and the tool itself must check them.
 *
 * @throws {@link ManifestError} `INVALID_ARGUMENTS` when the schema rejects the arguments.
 */
export function checkArguments(
  { name, input_schema }: ManifestTool,
  values: { readonly [name: string]: JsonValue },
): void {
  const budget = new StepBudget(MAX_CALL_STEPS);
  if (!rejects(input_schema, values, budget)) return;
  const properties = member(input_schema, "properties") ?? {};
  for (const key of requiredOf(input_schema)) {
    if (!Object.hasOwn(values, key)) refuse(name, [key], "a value, received nothing");
  }
  const { $defs = {} } = input_schema;
  for (const [key, value] of Object.entries(values)) {
    const schema = member(properties, key);
    if (schema === undefined) refuse(name, [key], "declared arguments only");
    const alone = typeof schema === "object" ? { $defs, ...schema } : schema;
    if (rejects(alone, value, budget)) refuse(name, [key], `what its schema accepts, received ${show(value)}`);
  }
  refuse(name, [], "what its input_schema accepts");
}

function rejects(schema: unknown, value: JsonValue, budget: StepBudget): boolean {
  try {
    return acceptsValue(schema, value, { budget }).verdict === "rejects";
  } catch (error) {
    if (!(error instanceof SchemaDiffError)) throw error;
    return false;
  }
}

function requiredOf(schema: unknown): string[] {
  const required = member(schema, "required");
  return Array.isArray(required) ? required.filter((key) => typeof key === "string") : [];
}

function refuse(tool: string, path: readonly string[], expected: string): never {
  throw new ManifestError("INVALID_ARGUMENTS", toPointer(["arguments", ...path]), `Tool ${tool}: expected ${expected}`);
}
