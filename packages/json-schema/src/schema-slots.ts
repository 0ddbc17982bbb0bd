import { isJsonObject, type JsonObject, type JsonValue, type PathSegment } from "@agentprint/canonical-json";
import { checkArgument } from "./check-argument.ts";
import type { Draft } from "./dialect.ts";
import { type Keyword, type KeywordContent, keywordOf } from "./keywords.ts";

/** A place in a schema where one of its keywords expects a schema. */
export interface SchemaSlot {
  readonly keyword: Keyword;
  /** The index in a list, or the name in an object; absent if the keyword's value itself is the schema. */
  readonly key?: PathSegment;
  /**
   * The value at that place. In a valid schema this is an object or a boolean; under `dependencies` it may be a list of
   * names.
   */
  readonly value: JsonValue;
}

/**
 * Yields the places directly in a schema where its keywords expect schemas, in the order of the text. A keyword whose
 * value has the wrong form, such as an `allOf` that is not an array, has no such place.
 *
 * @param draft The draft whose keywords are known. By default the keywords of all drafts are known.
 * @example
 * ```ts
 * import { schemaSlots } from "@agentprint/json-schema";
 *
 * const schema = { properties: { a: true }, anyOf: [{ type: "string" }], const: { not: true } };
 * for (const { keyword, key, value } of schemaSlots(schema)) console.log(keyword.name, key, value);
 * // properties a true
 * // anyOf 0 { type: "string" }
 * ```
 */
export function* schemaSlots(schema: JsonObject, draft?: Draft): Iterable<SchemaSlot> {
  for (const name of Object.keys(schema)) {
    const keyword = keywordOf(name, draft);
    if (keyword) yield* keywordSlots(keyword, schema[name] as JsonValue);
  }
}

/**
 * Yields the places under one keyword where it expects schemas: see {@link schemaSlots}.
 *
 * @example
 * ```ts
 * import { type Keyword, keywordOf, keywordSlots } from "@agentprint/json-schema";
 *
 * for (const { key, value } of keywordSlots(keywordOf("allOf") as Keyword, [true, {}])) console.log(key, value);
 * // 0 true
 * // 1 {}
 * ```
 */
export function* keywordSlots(keyword: Keyword, value: JsonValue): Iterable<SchemaSlot> {
  switch (formOf(keyword.content, value)) {
    case "schema":
      yield { keyword, value };
      break;
    case "list":
      for (const [key, item] of (value as readonly JsonValue[]).entries()) yield { keyword, key, value: item };
      break;
    case "by-name":
      for (const [key, item] of Object.entries(value as JsonObject)) yield { keyword, key, value: item };
  }
}

/**
 * Returns how a keyword's value holds schemas, or `undefined` if the keyword holds no schemas or its value has the
 * wrong form.
 *
 * @example
 * ```ts
 * import { formOf } from "@agentprint/json-schema";
 *
 * console.log(formOf("schema-or-list", [{}]), formOf("schema-or-list", {}), formOf("list", {})); // list schema undefined
 * ```
 */
export function formOf(
  content: KeywordContent | undefined,
  value: JsonValue,
): "schema" | "list" | "by-name" | undefined {
  switch (content) {
    case "schema":
      return content;
    case "schema-or-list":
      return Array.isArray(value) ? "list" : "schema";
    case "list":
      return Array.isArray(value) ? content : undefined;
    case "by-name":
      return isJsonObject(value) ? content : undefined;
    default:
      return undefined;
  }
}

/**
 * Returns the segments that lead from a schema to one of its slots.
 *
 * @example
 * ```ts
 * import { pathOf, schemaSlots } from "@agentprint/json-schema";
 *
 * for (const slot of schemaSlots({ not: true, allOf: [true] })) console.log(pathOf(slot).join("/"));
 * // not
 * // allOf/0
 * ```
 */
export function pathOf(slot: SchemaSlot): PathSegment[] {
  checkArgument("slot", slot, { keyword: "object" });
  const { keyword, key } = slot;
  return key === undefined ? [keyword.name] : [keyword.name, key];
}
