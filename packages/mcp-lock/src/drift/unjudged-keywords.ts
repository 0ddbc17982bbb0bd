import { isJsonObject, type JsonValue } from "@agentprint/canonical-json";
import { keywordOf } from "@agentprint/json-schema";
import { groupEntries } from "../group-entries.ts";
import { appliedPairs } from "./applied-pairs.ts";
import { type SchemaNode, unfoldSchema } from "./unfolded-schema.ts";

/**
 * A keyword without a meaning in JSON Schema itself, which OpenAPI validators and `@agentprint/schema-diff`
 * nevertheless evaluate.
 */
const NULLABLE = "nullable";

/** All schemas of a document, as `unfoldSchema` returns them. */
type Unfolded = ReturnType<typeof unfoldSchema>;

/**
 * Returns the changed keywords in an input schema that affect what a call does but not whether it is valid: `default`,
 * and keywords that JSON Schema does not define, such as `x-mcp-header`. They are compared where they apply, following
 * references. The default of a new parameter is omitted, because no call relied on a different default. If the
 * references are too entangled to be followed, all such keywords count as changed.
 *
 * @param from - The old schema, unfolded.
 * @param mentioned - All names in the old schema.
 */
export function unjudgedKeywords(from: Unfolded, after: JsonValue, mentioned: ReadonlySet<string>): string[] {
  const to = unfoldSchema(after);
  if (![...(from ?? []), ...(to ?? [])].some(hasUnjudged)) return [];
  const pairs = from && to && appliedPairs(from, to, (key) => isNewParameter(key, mentioned));
  if (pairs === undefined) return [...new Set([...keywordsIn(from ?? []), ...keywordsIn(to ?? [])])].sort();
  const found = pairs.flatMap(({ before, after, isNew }) => {
    const [was, is] = [valuesIn(before), valuesIn(after)];
    const changed = [...new Set([...was.keys(), ...is.keys()])].filter((name) => was.get(name) !== is.get(name));
    return changed.filter((name) => name !== "default" || !isNew);
  });
  return [...new Set(found)].sort();
}

const PARAMETER = "properties/";

function isNewParameter(key: string, mentioned: ReadonlySet<string>): boolean {
  return key.startsWith(PARAMETER) && !mentioned.has(key.slice(PARAMETER.length));
}

function isUnjudged(name: string): boolean {
  return name === "default" || (keywordOf(name) === undefined && name !== NULLABLE);
}

function hasUnjudged({ place, rest }: SchemaNode): boolean {
  return isJsonObject(place.value) && rest.some(({ keyword }) => isUnjudged(keyword));
}

function keywordsIn(nodes: readonly SchemaNode[]): string[] {
  return [...valuesIn(nodes).keys()];
}

/** Returns the values, as texts, that schemas that apply together have for unjudged keywords. */
function valuesIn(nodes: readonly SchemaNode[]): Map<string, string> {
  const members = nodes.flatMap(({ place, rest }) => (isJsonObject(place.value) ? rest : []));
  const values = groupEntries(
    members.filter(({ keyword }) => isUnjudged(keyword)).map(({ keyword, text }) => [keyword, text]),
  );
  return new Map([...values].map(([keyword, texts]) => [keyword, texts.sort().join("\n")]));
}
