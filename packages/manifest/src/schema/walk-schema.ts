import type { JsonValue, PathSegment } from "@agentprint/canonical-json";
import { isObject } from "../json.ts";

/** Draft 2020-12 keywords whose value is a schema, a list of schemas, or schemas by name (core §10, §11, §8.2.4). */
const ONE: ReadonlySet<string> = new Set([
  "additionalProperties",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
const LIST: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const BY_NAME: ReadonlySet<string> = new Set(["$defs", "dependentSchemas", "patternProperties", "properties"]);

/** A schema inside a schema. */
export interface Subschema {
  readonly schema: { readonly [keyword: string]: JsonValue };
  readonly path: readonly PathSegment[];
}

/** Every object schema in a schema, itself first. Values such as those of `const` and `default` are not schemas. */
export function walkSchema(root: { readonly [keyword: string]: JsonValue }): Subschema[] {
  const found: Subschema[] = [{ schema: root, path: [] }];
  const add = (schema: JsonValue, path: readonly PathSegment[]): void => {
    if (isObject(schema)) found.push({ schema, path });
  };
  for (const { schema, path } of found) {
    for (const [keyword, value] of Object.entries(schema)) {
      if (ONE.has(keyword)) add(value, [...path, keyword]);
      else if (LIST.has(keyword) && Array.isArray(value)) {
        for (const [index, item] of value.entries()) add(item, [...path, keyword, index]);
      } else if (BY_NAME.has(keyword) && isObject(value)) {
        for (const [name, item] of Object.entries(value)) add(item, [...path, keyword, name]);
      }
    }
  }
  return found;
}

/**
 * A schema alone: every schema in it replaced by `true`, and the places of what stands where a schema must but is none.
 */
export function withoutSubschemas({ schema, path }: Subschema): { schema: object; misplaced: PathSegment[][] } {
  const misplaced: PathSegment[][] = [];
  const replace = (value: JsonValue, ...at: PathSegment[]): true => {
    if (!isObject(value) && typeof value !== "boolean") misplaced.push([...path, ...at]);
    return true;
  };
  const entries = Object.entries(schema).map(([keyword, value]): [string, JsonValue] => {
    if (ONE.has(keyword)) return [keyword, replace(value, keyword)];
    if (LIST.has(keyword) && Array.isArray(value)) {
      for (const [index, item] of value.entries()) replace(item, keyword, index);
      return [keyword, value.slice(0, 1).map(() => true)];
    }
    if (BY_NAME.has(keyword) && isObject(value)) {
      for (const [name, item] of Object.entries(value)) replace(item, keyword, name);
      return [keyword, {}];
    }
    return [keyword, value];
  });
  return { schema: Object.fromEntries(entries), misplaced };
}
