import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "@agentprint/canonical-json";
import type { Place, SchemaDocument } from "@agentprint/json-schema";
import { compareSchemas, type SchemaComparison, type StepBudget } from "@agentprint/schema-diff";

/**
 * The longest text, in characters, that counts as a short one: a UUID has 36, and the keys and tokens of common services
 * have 40 or more.
 */
const MAX_SHORT_TEXT = 36;

/** The contents that values of a schema can have: themselves, and in their members and elements. */
export interface Reach {
  /** Any text that is longer than a short one. */
  readonly text: boolean;
  /** Members or elements that the schema says nothing about. */
  readonly anything: boolean;
  readonly textInside: boolean;
  readonly anythingInside: boolean;
}

const NOTHING: Reach = { text: false, anything: false, textInside: false, anythingInside: false };
const OPEN: Reach = { ...NOTHING, text: true, anything: true };

/** References and levels that are followed from one place. */
const MAX_STEPS_DOWN = 300;
/** Steps of a budget for reading one schema. */
const STEPS_A_SCHEMA = 10;

const IN_ARRAYS = ["items", "prefixItems", "additionalItems"];

/** Reads what the schemas of one document let through. Without steps, a schema counts as open. */
export class ReachReader {
  readonly #document: SchemaDocument;
  readonly #budget: StepBudget;
  #known = new Map<string, Reach>();

  constructor(document: SchemaDocument, budget: StepBudget) {
    this.#document = document;
    this.#budget = budget;
  }

  /** Returns the reach of a schema; a schema that contains itself adds nothing to itself. */
  of(place: Place): Reach {
    this.#known = new Map();
    return this.#of(place, 0);
  }

  /** Returns the place that the references of a place lead to, `undefined` if they leave the document. */
  resolved(place: Place): Place | undefined {
    let at = place;
    for (let steps = 0; steps < MAX_STEPS_DOWN; steps++) {
      const reference = isJsonObject(at.value) ? ownMember(at.value, "$ref") : undefined;
      if (typeof reference !== "string") return at;
      const target = this.#document.resolve(reference, at.base);
      if (target.type !== "found") return undefined;
      at = target.place;
    }
    return undefined;
  }

  /** Returns the places under a keyword of a place, with the name or index of each where the keyword has several. */
  below(place: Place, keyword: string): (readonly [key: string, place: Place])[] {
    const value = isJsonObject(place.value) ? ownMember(place.value, keyword) : undefined;
    if (value === undefined) return [];
    const isMany = Array.isArray(value) || BY_NAME.has(keyword);
    if (!isMany) return [["", this.#document.child(place, keyword) as Place]];
    if (typeof value !== "object" || value === null) return [];
    return Object.keys(value).map((key) => [key, this.#document.child(place, keyword, key) as Place]);
  }

  #of(place: Place, depth: number): Reach {
    const known = this.#known.get(place.pointer);
    if (known) return known;
    if (depth > MAX_STEPS_DOWN || !this.#budget.affords(STEPS_A_SCHEMA)) return OPEN;
    this.#budget.charge(STEPS_A_SCHEMA);
    this.#known.set(place.pointer, NOTHING);
    const reach = this.#read(place, depth + 1);
    this.#known.set(place.pointer, reach);
    return reach;
  }

  #read(place: Place, depth: number): Reach {
    const { value } = place;
    if (!isJsonObject(value)) return value === true ? OPEN : NOTHING;
    const below = (keyword: string): Reach[] => this.below(place, keyword).map(([, each]) => this.#of(each, depth));
    const own = this.#ownReach(value, below);
    const parts = ["anyOf", "oneOf"].map(below).filter((choices) => choices.length > 0);
    const together = [own, ...parts.map(either), ...below("allOf")];
    if (typeof ownMember(value, "$ref") !== "string") return both(together);
    const target = this.resolved(place);
    // Up to draft-07 nothing beside a reference counts.
    return both([target ? this.#of(target, depth) : OPEN, { ...both(together), text: true, anything: true }]);
  }

  #ownReach(schema: JsonObject, below: (keyword: string) => Reach[]): Reach {
    if ("enum" in schema || "const" in schema) return NOTHING;
    const takes = (type: string): boolean => takesType(schema["type"], type);
    const members = takes("object") ? ["properties", "patternProperties"].flatMap(below) : [];
    const further = takes("object") ? ["additionalProperties", "unevaluatedProperties"].flatMap(below) : [];
    const elements = takes("array") ? IN_ARRAYS.flatMap(below) : [];
    const isOpenObject = takes("object") && members.length + further.length === 0;
    const isOpenArray = takes("array") && elements.length === 0;
    const inside = either([...members, ...further, ...elements]);
    const hasFreeNames = further.some((reach) => reach !== NOTHING) && !("propertyNames" in schema);
    return {
      text: takes("string") && !this.#isBounded(schema),
      anything: isOpenObject || isOpenArray || further.some(({ anything }) => anything),
      textInside: inside.text || inside.textInside || hasFreeNames,
      anythingInside: inside.anything || inside.anythingInside,
    };
  }

  #isBounded({ pattern, format, maxLength }: JsonObject): boolean {
    if (typeof maxLength === "number" && maxLength <= MAX_SHORT_TEXT) return true;
    return typeof format === "string" || (typeof pattern === "string" && !this.#takesAll(pattern));
  }

  /** Whether a pattern is proven to match every text. */
  #takesAll(pattern: string): boolean {
    const text = { type: "string" };
    return verdictOn(text, { ...text, pattern }, this.#budget) === "compatible";
  }
}

/** Whether every value that one schema accepts is accepted by the other: proven, refuted, or unknown. */
export function verdictOn(narrow: JsonValue, wide: JsonValue, budget: StepBudget): SchemaComparison["verdict"] {
  return compareSchemas(narrow, wide, { direction: "input", budget, want: "verdict" }).verdict;
}

/** Whether a `type` lets values of a type through; without one, every type. */
function takesType(type: JsonValue | undefined, wanted: string): boolean {
  if (type === undefined) return true;
  return type === wanted || (Array.isArray(type) && type.includes(wanted));
}

function either(all: readonly Reach[]): Reach {
  return all.reduce(
    (one, other) => ({
      text: one.text || other.text,
      anything: one.anything || other.anything,
      textInside: one.textInside || other.textInside,
      anythingInside: one.anythingInside || other.anythingInside,
    }),
    NOTHING,
  );
}

/** The reach of schemas that apply together; each can name members that the others leave open. */
function both(all: readonly Reach[]): Reach {
  const { textInside, anythingInside } = either(all);
  return {
    text: all.every(({ text }) => text),
    anything: all.every(({ anything }) => anything),
    textInside,
    anythingInside,
  };
}

const BY_NAME: ReadonlySet<string> = new Set(["properties", "patternProperties", "dependentSchemas"]);
