import { isJsonObject, isSameJson, type JsonValue } from "@agentprint/canonical-json";
import { renumberDefinitions } from "@agentprint/json-schema";
import type { SchemaVerdict } from "./schema-verdict.ts";

/** A name that zod counts up for a definition, in the order in which it writes them. */
const COUNTED = /^(__schema)\d+$/;

/**
 * Whether two versions of a schema differ in the numbers of definitions alone: each text stands where it stood, and the verdict is that
 * callers notice nothing.
 */
export function isRenumbered(
  { verdict, isWider, unjudged }: SchemaVerdict,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): boolean {
  if (verdict !== "compatible" || isWider || unjudged || !isJsonObject(before) || !isJsonObject(after)) return false;
  const [from, to] = [renumberDefinitions(before, COUNTED), renumberDefinitions(after, COUNTED)];
  return countOf(from) === countOf(before) && countOf(to) === countOf(after) && isSameJson(from, to);
}

/** The number of definitions: one without a reference can have the name that another one gets. */
function countOf(schema: JsonValue): number {
  const definitions = isJsonObject(schema) ? schema["$defs"] : undefined;
  return isJsonObject(definitions) ? Object.keys(definitions).length : 0;
}
