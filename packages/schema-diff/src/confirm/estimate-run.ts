import type { JsonValue } from "@agentprint/canonical-json";
import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import { keywordOf, keywordSlots, type Place, pathOf, SchemaDocument } from "@agentprint/json-schema";
import type { StepBudget } from "../budget.ts";
import { JsonSizes } from "./json-sizes.ts";

/** Code points that are counted, elements that are compared, and names that are looked up in one step. */
const COUNTED_A_STEP = 128;
const COMPARED_A_STEP = 32;
const NAMES_A_STEP = 4;
/** Steps that the estimate itself takes for one schema and one value. */
const LOOK_STEPS = 2;

/**
 * An upper limit of the steps that a validator without a cache takes for a value, counted up to `limit`: one step each
 * time that the validator applies a schema, and more for keywords that compare or count. A schema of twenty lines can take
 * 2^60 steps when each of its definitions applies the next one twice.
 */
export function estimateRun(schema: JsonValue, value: JsonValue, limit: number, budget: StepBudget): number {
  return new RunEstimate(new SchemaDocument(schema, budget), limit, budget).total(value);
}

class RunEstimate {
  readonly #document: SchemaDocument;
  readonly #limit: number;
  readonly #budget: StepBudget;
  readonly #sizes = new JsonSizes();
  /** The steps by place and value. A pair that is still being counted has `limit` steps, because it leads to itself. */
  readonly #known = new Map<string, Map<JsonValue, number>>();

  constructor(document: SchemaDocument, limit: number, budget: StepBudget) {
    this.#document = document;
    this.#limit = limit;
    this.#budget = budget;
  }

  total(value: JsonValue): number {
    return this.#apply(this.#document.root, value);
  }

  #apply(place: Place, value: JsonValue): number {
    const known = this.#known.get(place.pointer) ?? new Map<JsonValue, number>();
    this.#known.set(place.pointer, known);
    const before = known.get(value);
    if (before !== undefined) return before;
    known.set(value, this.#limit);
    this.#budget.spend(LOOK_STEPS);
    let work = 1;
    if (isJsonObject(place.value)) {
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

  /** The steps of one keyword without the schemas that it contains. */
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
        return isJsonObject(value) ? (this.#sizes.countOf(content) + this.#sizes.countOf(value)) / NAMES_A_STEP : 0;
      default:
        return 0;
    }
  }

  /** The steps of comparing a value with candidates: a comparison ends at the latest where the smaller value ends. */
  #comparison(candidates: readonly JsonValue[], value: JsonValue): number {
    const each = candidates.length / COMPARED_A_STEP;
    if (typeof value !== "object" || value === null) return each;
    const size = this.#sizes.of(value);
    const deep = Math.min(this.#sizes.of(candidates), candidates.length * size);
    return each + deep / COMPARED_A_STEP;
  }

  /** The steps of comparing every element with every other. */
  #pairs(items: readonly JsonValue[]): number {
    const deep = items.filter((item) => typeof item === "object" && item !== null);
    const size = deep.reduce<number>((sum, item) => sum + this.#sizes.of(item), 0);
    return (items.length ** 2 / 2 + deep.length * size) / COMPARED_A_STEP;
  }

  /** The schemas that apply to each value; `undefined` where only a validator that runs can know the schema. */
  *#applications(place: Place, schema: JsonObject, value: JsonValue): Iterable<[Place | undefined, JsonValue]> {
    for (const [name, content] of Object.entries(schema)) {
      const keyword = keywordOf(name);
      if (keyword?.kind === "dynamic-reference") yield [undefined, value];
      else if (keyword?.kind === "reference") yield* this.#referred(place, content, value);
      else if (name === "properties") yield* this.#members(place, value);
      else if (keyword?.appliesTo) {
        const slots = [...keywordSlots(keyword, content)];
        for (const item of keyword.appliesTo === "value" ? [value] : constraintsOf(value)) {
          for (const slot of slots) yield [this.#document.child(place, ...pathOf(slot)), item];
        }
      }
    }
  }

  *#referred(place: Place, reference: JsonValue, value: JsonValue): Iterable<[Place | undefined, JsonValue]> {
    const target = typeof reference === "string" ? this.#document.resolve(reference, place.base) : undefined;
    if (target?.type === "found") yield [target.place, value];
    else if (target?.type !== "remote") yield [undefined, value];
  }

  *#members(place: Place, value: JsonValue): Iterable<[Place, JsonValue]> {
    for (const name of isJsonObject(value) ? Object.keys(value) : []) {
      const inner = this.#document.child(place, "properties", name);
      if (inner) yield [inner, (value as JsonObject)[name] as JsonValue];
    }
  }
}

function constraintsOf(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}
