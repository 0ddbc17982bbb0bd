import type { JsonObject } from "@agentprint/canonical-json/json-value";
import { type Draft, isMeaningful } from "@agentprint/json-schema";

/** Groups of keywords that have a meaning only together. */
const GROUPS: readonly (readonly string[])[] = [
  ["minimum", "exclusiveMinimum"],
  ["maximum", "exclusiveMaximum"],
  ["items", "prefixItems", "additionalItems"],
  ["contains", "minContains", "maxContains"],
  ["if", "then", "else"],
  ["const"],
  ["propertyNames"],
  ["dependencies"],
  ["dependentRequired"],
  ["dependentSchemas"],
];

/**
 * Returns a schema's groups with a keyword or notation that the draft does not know. Some validators ignore such a
 * keyword and some obey it, so nothing is concluded from the group.
 */
export function foreignGroups(schema: JsonObject, draft: Draft | undefined): (readonly string[])[] {
  if (draft === undefined) return [];
  return GROUPS.filter((group) =>
    group.some((keyword) => Object.hasOwn(schema, keyword) && isForeign(keyword, schema, draft)),
  );
}

/**
 * Returns whether a draft does not know a keyword or its notation. `additionalItems` needs no check: it has a meaning
 * only next to a list of `items`, and a draft that does not know it does not know such a list either.
 */
function isForeign(keyword: string, schema: JsonObject, draft: Draft): boolean {
  return keyword !== "additionalItems" && !isMeaningful(keyword, schema[keyword], draft);
}
