import type { JsonObject } from "@agentprint/canonical-json/json-value";
import { type Draft, isMeaningful } from "@agentprint/json-schema";

/** Keywords that only have a meaning together. */
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
 * Groups in which a keyword or notation is used outside the draft that knows it.
 * Validators differ there (some ignore it, some obey it), so nothing may be concluded from such a group.
 */
export function foreignGroups(schema: JsonObject, draft: Draft | undefined): (readonly string[])[] {
  if (draft === undefined) return [];
  return GROUPS.filter((group) =>
    group.some((keyword) => Object.hasOwn(schema, keyword) && isForeign(keyword, schema, draft)),
  );
}

/** `additionalItems` means something beside a list of `items` alone, and that list is foreign where it is. */
function isForeign(keyword: string, schema: JsonObject, draft: Draft): boolean {
  return keyword !== "additionalItems" && !isMeaningful(keyword, schema[keyword], draft);
}
