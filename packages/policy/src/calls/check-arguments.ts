import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
  type PathSegment,
  printable,
  toPointer,
} from "@agentprint/canonical-json";
import { keywordOf, keywordSlots, pathOf } from "@agentprint/json-schema";
import { PolicyError } from "../errors.ts";
import { CALL_KEYWORDS, type CallKeyword, textsOf } from "./call-keywords.ts";

/** Under these keywords, a narrower schema makes the complete schema narrower. */
const NARROWING = new Set("properties patternProperties additionalProperties items prefixItems allOf anyOf".split(" "));

/** Members of a schema that no JSON Schema validator reads: OpenAPI's members, and annotations. */
const HARMLESS = /^(?:nullable|x-.*)$/;

/**
 * Throws if an `arguments` schema has a keyword that JSON Schema does not define, or has `path-within` or `url-host` at
 * a place where the keyword could allow more calls or would restrict nothing.
 *
 * @param at The schema's place in the policy.
 * @throws {@link PolicyError} `invalid-schema`, `misplaced-keyword`, `invalid-value`
 */
export function checkArguments(schema: JsonObject, at: readonly PathSegment[]): void {
  const keywords: (readonly PathSegment[])[] = [];
  const references: (readonly PathSegment[])[] = [];
  const visit = (value: JsonValue, path: readonly PathSegment[], isNarrowing: boolean): void => {
    if (!isJsonObject(value)) return;
    for (const [name, member] of Object.entries(value)) {
      const place = [...path, name];
      const own = CALL_KEYWORDS.get(name);
      const keyword = keywordOf(name);
      if (own !== undefined) {
        checkKeyword(own, value, place, isNarrowing);
        keywords.push(place);
      } else if (keyword === undefined) {
        checkForeign(name, member, place);
      } else {
        if (keyword.kind.endsWith("reference")) references.push(place);
        for (const slot of keywordSlots(keyword, member)) {
          visit(slot.value, [...path, ...pathOf(slot)], isNarrowing && NARROWING.has(name));
        }
      }
    }
  };
  visit(schema, at, true);
  const [[misplaced], [reference]] = [keywords, references];
  if (misplaced === undefined || reference === undefined) return;
  const message = `a reference at ${toPointer(reference)} could apply this keyword where it widens`;
  throw new PolicyError("misplaced-keyword", toPointer(misplaced), message, "a schema without references");
}

function checkKeyword(
  { name, expected, problemOf }: CallKeyword,
  schema: JsonObject,
  place: readonly PathSegment[],
  isNarrowing: boolean,
): void {
  if (!isNarrowing) {
    const message = `${name} could widen what a call may send`;
    throw new PolicyError("misplaced-keyword", toPointer(place), message, `it only below ${[...NARROWING].join(", ")}`);
  }
  if (ownMember(schema, "type") !== "string") {
    const message = `${name} would accept values other than strings`;
    throw new PolicyError("misplaced-keyword", toPointer(place), message, '"type": "string" next to it');
  }
  const texts = textsOf(schema[name]);
  if (texts.length === 0) throw new PolicyError("invalid-value", toPointer(place), "received no text", expected);
  for (const text of texts) {
    const problem = typeof text === "string" ? problemOf(text) : "is not a text";
    if (problem === undefined) continue;
    const message = `received ${printable(JSON.stringify(text))}, which ${problem}`;
    throw new PolicyError("invalid-value", toPointer(place), message, expected);
  }
}

function checkForeign(name: string, value: JsonValue, place: readonly PathSegment[]): void {
  if (!HARMLESS.test(name)) {
    throw new PolicyError(
      "invalid-schema",
      toPointer(place),
      "unknown keyword",
      "a keyword of JSON Schema, path-within or url-host",
    );
  }
  if (!mentionsKeyword(value)) return;
  throw new PolicyError("misplaced-keyword", toPointer(place), "no validator reads a schema here", "it in a schema");
}

function mentionsKeyword(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, member]) => CALL_KEYWORDS.has(name) || mentionsKeyword(member));
}
