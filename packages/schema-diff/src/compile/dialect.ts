import type { JsonValue } from "@agentprint/canonical-json";
import { type JsonObject, member } from "./json.ts";

/** The draft that `$schema` names; `undefined` when there is none: every notation is then read as it was meant. */
export type Dialect = 4 | 6 | 7 | 2019 | 2020 | undefined;

const DIALECT = /^https?:\/\/json-schema\.org\/(?:draft-0([467])|draft\/(2019|2020)-\d\d)\/schema#?$/;

/** The dialect of a schema; `"unknown"` for a meta-schema of someone's own, which may change what keywords mean. */
export function dialectOf(schema: JsonObject): Dialect | "unknown" {
  const uri = member(schema, "$schema");
  if (uri === undefined || uri === "http://json-schema.org/schema#") return undefined;
  const [, draft, year] = (typeof uri === "string" && DIALECT.exec(uri)) || [];
  return draft || year ? (Number(draft ?? year) as Dialect) : "unknown";
}

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

const SINCE: ReadonlyMap<string, number> = new Map([
  ["const", 6],
  ["contains", 6],
  ["propertyNames", 6],
  ["if", 7],
  ["then", 7],
  ["else", 7],
  ["minContains", 2019],
  ["maxContains", 2019],
  ["dependentRequired", 2019],
  ["dependentSchemas", 2019],
  ["prefixItems", 2020],
]);

/**
 * Groups in which a keyword or notation is used outside the dialect that knows it.
 * Validators differ there (some ignore it, some obey it), so nothing may be concluded from such a group.
 */
export function foreignGroups(schema: JsonObject, dialect: Dialect): (readonly string[])[] {
  if (dialect === undefined) return [];
  return GROUPS.filter((group) =>
    group.some((keyword) => Object.hasOwn(schema, keyword) && isForeign(keyword, schema[keyword], dialect)),
  );
}

function isForeign(keyword: string, value: JsonValue | undefined, dialect: number): boolean {
  switch (keyword) {
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return (typeof value === "boolean") !== (dialect === 4);
    case "items":
      return Array.isArray(value) && dialect === 2020;
    case "dependencies":
      return dialect > 7;
    default:
      return dialect < (SINCE.get(keyword) ?? 0);
  }
}
