import type { JsonValue } from "@agentprint/canonical-json";
import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import { type Place, pathOf, SchemaDocument, schemaSlots } from "@agentprint/json-schema";
import { type StepBudget, UNITS_A_STEP } from "../budget.ts";
import { MAX_EVALUATED_NAMES, MAX_NESTED_CODE } from "../limits.ts";
import { JsonSizes } from "./json-sizes.ts";

/*
 * The steps that ajv takes to write the code for a schema; the numbers are measured. ajv writes code for each schema,
 * keyword and listed name. The code is nested as deep as there are schemas before it in the same function, and ajv merges
 * the lists of names that schemas for the same value evaluate.
 */
const SCHEMA_STEPS = 60;
const KEYWORD_STEPS = 20;
const NAME_STEPS = 30;
const PATTERN_STEPS = 150;
const MERGE_STEPS = 4;
const NESTING_A_STEP = 8;
/** Steps for each character of a URI, which ajv reads several times with regular expressions. */
const URI_UNIT_STEPS = 4;

/** From this number of names on, ajv writes a loop instead of code for each name. */
const LOOP_FROM = 200;

/** The steps that ajv takes to compile a schema; infinite when compiling may fail. */
export function estimateCompile(schema: JsonValue, budget: StepBudget): number {
  return new CompileEstimate(schema, budget).total();
}

class CompileEstimate {
  readonly #document: SchemaDocument;
  readonly #budget: StepBudget;
  /** The number of names that a schema evaluates, by the pointer of a schema to which a reference leads. */
  readonly #known = new Map<string, number>();
  #steps: number;

  constructor(schema: JsonValue, budget: StepBudget) {
    this.#document = new SchemaDocument(schema, budget);
    this.#budget = budget;
    this.#steps = new JsonSizes().of(schema) / UNITS_A_STEP + URI_UNIT_STEPS * uriUnits(schema, 0);
  }

  total(): number {
    this.#refer(this.#document.root);
    return this.#steps;
  }

  /** Counts a schema to which a reference leads: ajv makes one function of it, however many references there are. */
  #refer(place: Place): number {
    const known = this.#known.get(place.pointer);
    if (known !== undefined) return known;
    this.#known.set(place.pointer, 0);
    const names = this.#visit(place, 0);
    this.#known.set(place.pointer, names);
    return names;
  }

  /** Counts a schema and returns the number of names that it evaluates. */
  #visit(place: Place, nesting: number): number {
    const { value } = place;
    if (!isJsonObject(value)) return 0;
    const children = this.#childrenOf(place, value);
    const inside = nesting + children.length;
    this.#budget.spend(1 + children.length);
    this.#steps += inside > MAX_NESTED_CODE ? Number.POSITIVE_INFINITY : nesting / NESTING_A_STEP + ownSteps(value);
    let names = sizeOf(value["properties"]);
    const merged: number[] = [];
    for (const { isInPlace, place: child } of children) {
      const below = this.#visit(child, inside);
      if (isInPlace) merged.push(below);
    }
    const { $ref } = value;
    const target = typeof $ref === "string" ? this.#document.resolve($ref, place.base) : undefined;
    if (target?.type === "found") merged.push(this.#refer(target.place));
    const naming = merged.filter((each) => each > 0);
    names = Math.min(
      naming.reduce((sum, each) => sum + each, names),
      MAX_EVALUATED_NAMES,
    );
    this.#steps += naming.length * names * MERGE_STEPS;
    return names;
  }

  #childrenOf(place: Place, schema: JsonObject): { isInPlace: boolean; place: Place }[] {
    return [...schemaSlots(schema)]
      .filter(({ keyword }) => keyword.kind !== "definitions")
      .map((slot) => ({
        isInPlace: slot.keyword.appliesTo === "value",
        place: this.#document.child(place, ...pathOf(slot)) as Place,
      }));
  }
}

const IDS: readonly string[] = ["$id", "id"];
const REFERENCES: readonly string[] = ["$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef", "$ref"];

/** An upper limit of the characters of all URIs that ajv resolves in the document. */
function uriUnits(value: JsonValue, base: number): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + uriUnits(item, base), 0);
  if (!isJsonObject(value)) return 0;
  const unitsOf = (keyword: string): number => (typeof value[keyword] === "string" ? value[keyword].length : 0);
  const here = IDS.reduce((sum, keyword) => sum + unitsOf(keyword), base);
  let units = here - base > 0 ? here : 0;
  for (const keyword of REFERENCES) if (unitsOf(keyword) > 0) units += here + unitsOf(keyword);
  for (const item of Object.values(value)) units += uriUnits(item, here);
  return units;
}

function ownSteps(schema: JsonObject): number {
  let steps = SCHEMA_STEPS + KEYWORD_STEPS * sizeOf(schema) + PATTERN_STEPS * sizeOf(schema["patternProperties"]);
  const lists = [
    schema["required"],
    ...Object.values((isJsonObject(schema["dependentRequired"]) && schema["dependentRequired"]) || {}),
  ];
  for (const list of lists) {
    const names = sizeOf(list);
    if (names < LOOP_FROM) steps += NAME_STEPS * names;
  }
  return steps;
}

function sizeOf(value: JsonValue | undefined): number {
  return Array.isArray(value) ? value.length : isJsonObject(value) ? Object.keys(value).length : 0;
}
