/** Which schemas or data the value of a keyword holds. */
export type KeywordContent =
  | "schema"
  /** An array of schemas. */
  | "list"
  /** An object with a schema under each name. */
  | "by-name"
  /** One schema, or up to 2019-09 an array of them: `items`. */
  | "schema-or-list"
  /** JSON values that are not schemas: a member in them that has the name of a keyword is not a keyword. */
  | "data";

/** The keywords of all drafts by what their values hold; `none` is neither schemas nor data. */
const NAMES: Readonly<Record<KeywordContent | "none", string>> = {
  schema:
    "not if then else additionalProperties propertyNames contains additionalItems unevaluatedItems unevaluatedProperties contentSchema",
  list: "allOf anyOf oneOf prefixItems",
  "by-name": "dependentSchemas dependencies properties patternProperties definitions $defs",
  "schema-or-list": "items",
  data: "enum const default examples",
  none: "type multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxProperties minProperties required maxContains minContains dependentRequired format contentEncoding contentMediaType readOnly writeOnly deprecated title description $comment $schema $vocabulary id $id $anchor $dynamicAnchor $recursiveAnchor $ref $dynamicRef $recursiveRef",
};

let contents: ReadonlyMap<string, KeywordContent | undefined> | undefined;

function contentsByName(): ReadonlyMap<string, KeywordContent | undefined> {
  contents ??= new Map(
    Object.entries(NAMES).flatMap(([content, names]) =>
      names.split(" ").map((name) => [name, content === "none" ? undefined : (content as KeywordContent)] as const),
    ),
  );
  return contents;
}

/**
 * Whether a draft of JSON Schema has a keyword of this name.
 *
 * @example
 * ```ts
 * import { isKeyword } from "@agentprint/json-schema";
 *
 * console.log(isKeyword("type"), isKeyword("x-order")); // true false
 * ```
 */
export function isKeyword(name: string): boolean {
  return contentsByName().has(name);
}

/**
 * What the value of a keyword holds; `undefined` where that is neither schemas nor data, or JSON Schema has no keyword of that name.
 *
 * @example
 * ```ts
 * import { contentOf } from "@agentprint/json-schema";
 *
 * console.log(contentOf("properties"), contentOf("enum"), contentOf("type")); // by-name data undefined
 * ```
 */
export function contentOf(name: string): KeywordContent | undefined {
  return contentsByName().get(name);
}

/**
 * Whether a keyword tells people and models something about the value (2020-12 Validation §9.1, §9.5, Core §8.3).
 *
 * @example
 * ```ts
 * import { isProse } from "@agentprint/json-schema";
 *
 * console.log(isProse("description"), isProse("default")); // true false
 * ```
 */
export function isProse(name: string): boolean {
  return name === "title" || name === "description" || name === "examples" || name === "$comment";
}
