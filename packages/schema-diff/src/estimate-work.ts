import type { JsonValue } from "@agentprint/canonical-json";
import { isObject, member } from "./compile/json.ts";
import { type Place, References } from "./compile/references.ts";

/** Keywords whose schemas apply to the same value. */
const IN_PLACE: ReadonlySet<string> = new Set(["allOf", "anyOf", "else", "if", "not", "oneOf", "then"]);
/** Keywords whose schemas, each under a name, apply to the same value. */
const IN_PLACE_BY_NAME: ReadonlySet<string> = new Set(["dependencies", "dependentSchemas"]);
/** Keywords whose schemas apply to elements, members or names, to any of them as far as is known here. */
const INSIDE: ReadonlySet<string> = new Set([
  "additionalItems",
  "additionalProperties",
  "contains",
  "items",
  "prefixItems",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/**
 * At most how many times a validator that remembers nothing applies a schema to a value, counted up to `limit`.
 * A schema of twenty lines can take 2^60: definitions that each apply the next one twice.
 */
export function estimateWork(schema: JsonValue, value: JsonValue, limit: number): number {
  return new Estimate(new References(schema), limit).total(value);
}

class Estimate {
  readonly #references: References;
  readonly #limit: number;
  /** By place and value; a pair that is being counted counts as endless. */
  readonly #known = new Map<string, Map<JsonValue, number>>();

  constructor(references: References, limit: number) {
    this.#references = references;
    this.#limit = limit;
  }

  total(value: JsonValue): number {
    return this.#apply(this.#references.root, value);
  }

  #apply(place: Place, value: JsonValue): number {
    const known = this.#known.get(place.pointer) ?? new Map<JsonValue, number>();
    this.#known.set(place.pointer, known);
    const before = known.get(value);
    if (before !== undefined) return before;
    known.set(value, this.#limit);
    let work = 1;
    for (const [inner, item] of this.#applications(place, value)) {
      if (work < this.#limit) work += inner ? this.#apply(inner, item) : this.#limit;
    }
    work = Math.min(work, this.#limit);
    known.set(value, work);
    return work;
  }

  /** Without a place where only the validator knows which schema it applies. */
  *#applications(place: Place, value: JsonValue): Iterable<[Place | undefined, JsonValue]> {
    if (!isObject(place.value)) return;
    for (const [keyword, content] of Object.entries(place.value)) {
      if (keyword === "$ref") {
        const target = typeof content === "string" ? this.#references.resolve(content, place.base) : undefined;
        if (target !== "remote") yield [target, value];
      } else if (IN_PLACE.has(keyword)) {
        for (const inner of this.#schemas(place, keyword)) yield [inner, value];
      } else if (IN_PLACE_BY_NAME.has(keyword)) {
        for (const inner of this.#byName(place, keyword)) yield [inner, value];
      } else if (INSIDE.has(keyword)) {
        for (const item of itemsOf(value)) for (const inner of this.#schemas(place, keyword)) yield [inner, item];
      } else if (keyword === "patternProperties") {
        for (const item of itemsOf(value)) for (const inner of this.#byName(place, keyword)) yield [inner, item];
      } else if (keyword === "properties" && isObject(value)) {
        for (const name of Object.keys(value)) {
          const inner = this.#references.child(place, keyword, name);
          if (inner) yield [inner, member(value, name) as JsonValue];
        }
      }
    }
  }

  /** A keyword's schema, or each of its list. */
  #schemas(place: Place, keyword: string): Place[] {
    const inner = this.#references.child(place, keyword) as Place;
    if (!Array.isArray(inner.value)) return [inner];
    return inner.value.map((_, i) => this.#references.child(inner, i) as Place);
  }

  #byName(place: Place, keyword: string): Place[] {
    const inner = this.#references.child(place, keyword) as Place;
    return isObject(inner.value)
      ? Object.keys(inner.value).map((name) => this.#references.child(inner, name) as Place)
      : [];
  }
}

function itemsOf(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}
