import type { JsonValue } from "@agentprint/canonical-json";
import type { StepBudget } from "../budget.ts";
import { isObject, member } from "../compile/json.ts";
import { type Place, References } from "../compile/references.ts";
import { JsonSizes } from "./json-sizes.ts";

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
/** References of which only a run can say which schema they lead to. */
const DYNAMIC: ReadonlySet<string> = new Set(["$dynamicRef", "$recursiveRef"]);

/** Code points that are counted, elements that are compared, and names that are looked up in one step. */
const COUNTED_A_STEP = 128;
const COMPARED_A_STEP = 32;
const NAMES_A_STEP = 4;
/** What it takes here to look at a schema and a value. */
const LOOK_STEPS = 2;

/**
 * At most how many steps a validator that remembers nothing takes to judge a value, counted up to `limit`: one for each
 * time that it applies a schema, and more where a keyword compares or counts.
 * A schema of twenty lines can take 2^60: definitions that each apply the next one twice.
 */
export function estimateRun(schema: JsonValue, value: JsonValue, limit: number, budget: StepBudget): number {
  return new RunEstimate(new References(schema, budget), limit, budget).total(value);
}

class RunEstimate {
  readonly #references: References;
  readonly #limit: number;
  readonly #budget: StepBudget;
  readonly #sizes = new JsonSizes();
  /** By place and value; a pair that is being counted counts as endless. */
  readonly #known = new Map<string, Map<JsonValue, number>>();

  constructor(references: References, limit: number, budget: StepBudget) {
    this.#references = references;
    this.#limit = limit;
    this.#budget = budget;
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
    this.#budget.spend(LOOK_STEPS);
    let work = 1;
    if (isObject(place.value)) {
      for (const [keyword, content] of Object.entries(place.value)) work += this.#assertion(keyword, content, value);
      for (const [inner, item] of this.#applications(place, place.value, value)) {
        if (work >= this.#limit) break;
        work += inner ? this.#apply(inner, item) : this.#limit;
      }
    }
    work = Math.min(work, this.#limit);
    known.set(value, work);
    return work;
  }

  /** What a keyword takes by itself. */
  #assertion(keyword: string, content: JsonValue, value: JsonValue): number {
    switch (keyword) {
      case "const":
        return this.#comparison([content], value);
      case "enum":
        return this.#comparison(Array.isArray(content) ? content : [], value);
      case "minLength":
      case "maxLength":
        return typeof value === "string" ? value.length / COUNTED_A_STEP : 0;
      case "uniqueItems":
        return Array.isArray(value) ? this.#pairs(value) : 0;
      case "dependentRequired":
      case "maxProperties":
      case "minProperties":
      case "properties":
      case "required":
        return isObject(value) ? (this.#sizes.countOf(content) + this.#sizes.countOf(value)) / NAMES_A_STEP : 0;
      default:
        return 0;
    }
  }

  /** Two values are compared at most as far as the smaller one goes. */
  #comparison(candidates: readonly JsonValue[], value: JsonValue): number {
    const each = candidates.length / COMPARED_A_STEP;
    if (typeof value !== "object" || value === null) return each;
    const size = this.#sizes.of(value);
    const deep = Math.min(this.#sizes.of(candidates), candidates.length * size);
    return each + deep / COMPARED_A_STEP;
  }

  /** Every element is compared with every other. */
  #pairs(items: readonly JsonValue[]): number {
    const deep = items.filter((item) => typeof item === "object" && item !== null);
    const size = deep.reduce<number>((sum, item) => sum + this.#sizes.of(item), 0);
    return (items.length ** 2 / 2 + deep.length * size) / COMPARED_A_STEP;
  }

  /** Without a place where only the validator knows which schema it applies. */
  *#applications(
    place: Place,
    schema: { readonly [keyword: string]: JsonValue },
    value: JsonValue,
  ): Iterable<[Place | undefined, JsonValue]> {
    for (const [keyword, content] of Object.entries(schema)) {
      if (DYNAMIC.has(keyword)) {
        yield [undefined, value];
      } else if (keyword === "$ref") {
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
