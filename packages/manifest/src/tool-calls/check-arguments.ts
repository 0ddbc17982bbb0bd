import type { JsonValue } from "@agentprint/canonical-json";
import { toPointer } from "@agentprint/canonical-json";
import { compareSchemas, SchemaDiffError } from "@agentprint/schema-diff";
import { ManifestError } from "../errors.ts";
import { member, show } from "../json.ts";
import type { ManifestTool } from "../manifest-schema.ts";

/**
 * Refuses arguments that the tool's `input_schema` surely rejects.
 *
 * The schema is of unknown origin: it is judged as a change from "exactly this value", in counted steps, with no
 * pattern that can backtrack and nothing fetched. What cannot be judged so (an asserted `format`) is left to the tool.
 *
 * @throws {ManifestError} `INVALID_ARGUMENTS`
 */
export function checkArguments(
  { name, input_schema }: ManifestTool,
  values: { readonly [name: string]: JsonValue },
): void {
  if (accepts(input_schema, values)) return;
  const properties = member(input_schema, "properties") ?? {};
  for (const key of requiredOf(input_schema)) {
    if (!Object.hasOwn(values, key)) refuse(name, [key], "a value, received nothing");
  }
  const { $defs = {} } = input_schema;
  for (const [key, value] of Object.entries(values)) {
    const schema = member(properties, key);
    if (schema === undefined) refuse(name, [key], "declared arguments only");
    const alone = typeof schema === "object" ? { $defs, ...schema } : schema;
    if (!accepts(alone, value)) refuse(name, [key], `what its schema accepts, received ${show(value)}`);
  }
  refuse(name, [], "what its input_schema accepts");
}

function accepts(schema: unknown, value: JsonValue): boolean {
  try {
    return compareSchemas({ const: value }, schema, { direction: "input" }).verdict !== "breaking";
  } catch (error) {
    if (!(error instanceof SchemaDiffError)) throw error;
    return true;
  }
}

function requiredOf(schema: unknown): string[] {
  const required = member(schema, "required");
  return Array.isArray(required) ? required.filter((key) => typeof key === "string") : [];
}

function refuse(tool: string, path: readonly string[], expected: string): never {
  throw new ManifestError("INVALID_ARGUMENTS", toPointer(["arguments", ...path]), `Tool ${tool}: expected ${expected}`);
}
