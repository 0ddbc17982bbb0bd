import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json";
import { SchemaDocument, walkSchemas } from "@agentprint/json-schema";
import { acceptsValue, StepBudget } from "@agentprint/schema-diff";

/** A default or an example that does not match its schema. */
export interface WrongValue {
  /** RFC 6901 JSON Pointer into the document. */
  readonly pointer: string;
  readonly value: JsonValue;
}

/** The number of steps that checking all values of one schema may take, about a second. */
const MAX_STEPS = 2_000_000;

/**
 * Returns a document's defaults and examples that do not match their schemas. A value is listed only if this is proven,
 * and not if validators differ, a reference leads elsewhere, a schema cannot be read, or the work would take more than
 * a second.
 *
 * @param root A JSON Schema
 */
export function wrongValues(root: JsonValue): WrongValue[] {
  const budget = new StepBudget(MAX_STEPS);
  const found: WrongValue[] = [];
  for (const { pointer, value: schema } of walkSchemas(new SchemaDocument(root))) {
    if (!isJsonObject(schema)) continue;
    for (const [at, value] of valuesOf(schema)) {
      if (isRefused(withDefinitions(schema, root), value, budget)) found.push({ pointer: pointer + at, value });
    }
  }
  return found;
}

function valuesOf(schema: JsonObject): (readonly [pointer: string, value: JsonValue])[] {
  const examples = Array.isArray(schema["examples"]) ? schema["examples"] : [];
  const found = examples.map((value, index) => [`/examples/${index}`, value] as const);
  return schema["default"] === undefined ? found : [["/default", schema["default"]], ...found];
}

/** Returns a schema with its document's definitions, to which references lead. */
function withDefinitions(schema: JsonObject, root: JsonValue): JsonObject {
  const { $defs, definitions, $schema } = isJsonObject(root) ? root : {};
  return { ...($schema && { $schema }), ...($defs && { $defs }), ...(definitions && { definitions }), ...schema };
}

function isRefused(schema: JsonObject, value: JsonValue, budget: StepBudget): boolean {
  try {
    return acceptsValue(schema, value, { budget }).verdict === "rejects";
  } catch {
    return false; // Another rule reports a schema that cannot be read.
  }
}
