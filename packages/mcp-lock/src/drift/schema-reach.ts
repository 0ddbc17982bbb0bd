import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "@agentprint/canonical-json";
import type { Place, SchemaDocument } from "@agentprint/json-schema";
import { createSchemaComparer, type SchemaComparison, type StepBudget } from "@agentprint/schema-diff";

/**
 * The maximum length of a text that counts as short, in characters: a UUID has 36, and the keys and tokens of common
 * services have 40 or more.
 */
const MAX_SHORT_TEXT = 36;

/** The kinds of content that the values of a schema, and their members and elements, can have. */
export interface Reach {
  /** Any text that is longer than a short one. */
  readonly text: boolean;
  /** Objects whose members, or lists whose elements, the schema does not describe. */
  readonly objects: boolean;
  readonly lists: boolean;
  /** Any value in members other than those that the schema names, or in elements after the listed ones. */
  readonly furtherMembers: boolean;
  readonly furtherElements: boolean;
  readonly textInside: boolean;
  readonly anythingInside: boolean;
}

const INSIDE: ReadonlySet<keyof Reach> = new Set(["textInside", "anythingInside"]);
const KEYS = ["text", "objects", "lists", "furtherMembers", "furtherElements", ...INSIDE] as const;
const NOTHING: Reach = reachOf(() => false);
const OPEN: Reach = reachOf((key) => !INSIDE.has(key));

function reachOf(has: (key: keyof Reach) => boolean): Reach {
  return Object.fromEntries(KEYS.map((key) => [key, has(key)])) as Record<keyof Reach, boolean>;
}

/** The maximum number of references and levels that are followed from one place. */
const MAX_STEPS_DOWN = 300;
/** The budget steps that reading one schema costs. */
const STEPS_A_SCHEMA = 10;

/** The keywords for members that are not named and elements that are not listed. */
export const FURTHER_MEMBERS: readonly string[] = ["additionalProperties", "unevaluatedProperties"];
const COUNTED = ["items", "prefixItems"];

/** Returns the keywords for elements that are not listed; an `items` that is a list lists elements. */
export function furtherElements(schema: JsonValue): readonly string[] {
  const isCounting = isJsonObject(schema) && Array.isArray(schema["items"]);
  return [isCounting ? "additionalItems" : "items", "unevaluatedItems"];
}

/** Reads what the schemas of one document accept. When no steps are left, a schema counts as open. */
export class ReachReader {
  readonly #document: SchemaDocument;
  readonly #budget: StepBudget;
  /** The places that references lead to, by base and reference. */
  readonly #targets = new Map<string, Place | undefined>();
  #known = new Map<string, Reach>();

  constructor(document: SchemaDocument, budget: StepBudget) {
    this.#document = document;
    this.#budget = budget;
  }

  /** Returns the reach of a schema; for a schema that contains itself, the inner occurrence adds nothing. */
  of(place: Place): Reach {
    this.#known = new Map();
    return this.#of(place, 0);
  }

  /** Returns the place that a place's references lead to, or `undefined` if they leave the document. */
  resolved(place: Place): Place | undefined {
    let at = place;
    for (let steps = 0; steps < MAX_STEPS_DOWN; steps++) {
      const reference = isJsonObject(at.value) ? ownMember(at.value, "$ref") : undefined;
      if (typeof reference !== "string") return at;
      const target = this.#target(reference, at.base);
      if (target === undefined) return undefined;
      at = target;
    }
    return undefined;
  }

  #target(reference: string, base: string): Place | undefined {
    const key = `${base} ${reference}`;
    if (this.#targets.has(key)) return this.#targets.get(key);
    const found = this.#document.resolve(reference, base);
    const target = found.type === "found" ? found.place : undefined;
    this.#targets.set(key, target);
    return target;
  }

  /** Returns the places under a keyword of a place, each with its name or index if the keyword holds several. */
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
    // Up to draft-07, siblings of a reference are ignored.
    const beside = both([OPEN, ...together]);
    return both([target ? this.#of(target, depth) : OPEN, reachOf((key) => !INSIDE.has(key) || beside[key])]);
  }

  #ownReach(schema: JsonObject, below: (keyword: string) => Reach[]): Reach {
    if ("enum" in schema || "const" in schema) return NOTHING;
    const takes = (type: string): boolean => takesType(schema["type"], type);
    const members = takes("object") ? ["properties", "patternProperties"].flatMap(below) : [];
    const further = takes("object") ? FURTHER_MEMBERS.flatMap(below) : [];
    const rest = takes("array") ? furtherElements(schema).flatMap(below) : [];
    const elements = [...(takes("array") ? COUNTED.flatMap(below) : []), ...rest];
    const inside = either([...members, ...further, ...elements]);
    const hasFreeNames = further.some((reach) => reach !== NOTHING) && !("propertyNames" in schema);
    return {
      text: takes("string") && !this.#isBounded(schema),
      objects: (takes("object") && members.length + further.length === 0) || further.some(isAnything),
      lists: takes("array") && elements.length === 0,
      furtherMembers: takes("object") && further.every(isOpen),
      furtherElements: takes("array") && rest.every(isOpen),
      textInside: inside.text || inside.textInside || hasFreeNames,
      anythingInside: isAnything(inside) || inside.anythingInside,
    };
  }

  #isBounded({ pattern, format, maxLength }: JsonObject): boolean {
    if (typeof maxLength === "number" && maxLength <= MAX_SHORT_TEXT) return true;
    return typeof format === "string" || (typeof pattern === "string" && !this.#takesAll(pattern));
  }

  /** Returns whether a pattern is proven to match every text. */
  #takesAll(pattern: string): boolean {
    const text = { type: "string" };
    return verdictOn(text, { ...text, pattern }, this.#budget) === "compatible";
  }
}

/**
 * Returns the verdict on whether the wide schema accepts every value that the narrow one accepts: proven, refuted, or
 * unknown.
 */
export function verdictOn(narrow: JsonValue, wide: JsonValue, budget: StepBudget): SchemaComparison["verdict"] {
  return createSchemaComparer(narrow)(wide, { direction: "input", budget, want: "verdict" }).verdict;
}

/** Returns whether the keyword `type` allows values of a type; a schema without it allows every type. */
export function takesType(type: JsonValue | undefined, wanted: string): boolean {
  if (type === undefined) return true;
  return type === wanted || (Array.isArray(type) && type.includes(wanted));
}

/** Returns whether a schema accepts an object or a list whose content it does not describe. */
export function isAnything({ objects, lists }: Reach): boolean {
  return objects || lists;
}

function isOpen(reach: Reach): boolean {
  return KEYS.every((key) => INSIDE.has(key) || reach[key]);
}

/** Returns the reach of schemas that do not all apply. */
export function either(all: readonly Reach[]): Reach {
  return reachOf((key) => all.some((reach) => reach[key]));
}

/** Returns the reach of schemas that apply together; each can name members that the others leave open. */
export function both(all: readonly Reach[]): Reach {
  const inside = either(all);
  return reachOf((key) => (INSIDE.has(key) ? inside[key] : all.every((reach) => reach[key])));
}

const BY_NAME: ReadonlySet<string> = new Set(["properties", "patternProperties", "dependentSchemas"]);
