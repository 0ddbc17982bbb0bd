import { isJsonObject, isSameJson, type JsonObject, type JsonValue, ownMember } from "@agentprint/canonical-json";
import { type Keyword, keywordOf, keywordSlots } from "@agentprint/json-schema";

/** Two versions of a schema at one place; `isNew` where the place belongs to a parameter that the schema before did not mention. */
interface Place {
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  readonly isNew: boolean;
}

/** Says nothing to JSON Schema itself, but validators of OpenAPI and `@agentprint/schema-diff` judge it. */
const NULLABLE = "nullable";

/**
 * The keywords that changed in an input schema and decide what a call does without deciding whether it is valid: `default`, and keywords that
 * JSON Schema does not define, such as `x-mcp-header`. A default of a parameter that is new is left out: no call relied on another one.
 *
 * @param mentioned - Every name in the schema before.
 */
export function unjudgedKeywords(before: JsonValue, after: JsonValue, mentioned: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  const open: Place[] = [{ before, after, isNew: false }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (isSameJson(place.before, place.after)) continue;
    const [from, to] = [membersOf(place.before), membersOf(place.after)];
    for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
      const keyword = keywordOf(name);
      const [valueBefore, valueAfter] = [ownMember(from, name), ownMember(to, name)];
      const isUnjudged = keyword === undefined ? name !== NULLABLE : name === "default" && !place.isNew;
      if (isUnjudged && !isSameJson(valueBefore, valueAfter)) found.add(name);
      if (keyword !== undefined) open.push(...placesIn(keyword, valueBefore, valueAfter, place.isNew, mentioned));
    }
  }
  return [...found].sort();
}

function placesIn(
  keyword: Keyword,
  from: JsonValue | undefined,
  to: JsonValue | undefined,
  isNew: boolean,
  mentioned: ReadonlySet<string>,
): Place[] {
  const [before, after] = [from, to].map((value) => slotsOf(keyword, value));
  const keys = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
  return [...keys].map((key) => ({
    before: before?.get(key),
    after: after?.get(key),
    isNew: isNew || (keyword.name === "properties" && !mentioned.has(key)),
  }));
}

function slotsOf(keyword: Keyword, value: JsonValue | undefined): Map<string, JsonValue> {
  const slots = value === undefined ? [] : [...keywordSlots(keyword, value)];
  return new Map(slots.map(({ key = "", value }) => [String(key), value]));
}

function membersOf(schema: JsonValue | undefined): JsonObject {
  return isJsonObject(schema) ? schema : {};
}
