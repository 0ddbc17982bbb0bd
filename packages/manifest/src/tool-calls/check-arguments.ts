import type { JsonValue } from "@agentprint/canonical-json";
import { toPointer } from "@agentprint/canonical-json";
import { acceptsValue, SchemaDiffError, StepBudget } from "@agentprint/schema-diff";
import type { ManifestTool } from "../capability-manifest.ts";
import { ManifestError } from "../errors.ts";
import { member, show } from "../json.ts";

/** Steps for all arguments of a call together, about a second. */
const CALL_STEPS = 2_000_000;

/**
 * Refuses arguments that the tool's `input_schema` surely rejects.
 *
 * The schema is of unknown origin: it is judged in counted steps, with no pattern that can backtrack and nothing
 * fetched. What cannot be judged so (an asserted `format`, or too much to compare) is left to the tool.
 *
 * @throws {ManifestError} `INVALID_ARGUMENTS`
 */
export function checkArguments(
  { name, input_schema }: ManifestTool,
  values: { readonly [name: string]: JsonValue },
): void {
  const budget = new StepBudget(CALL_STEPS);
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
