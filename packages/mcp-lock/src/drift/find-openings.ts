import {
  canonicalize,
  isJsonObject,
  isSameJson,
  type JsonObject,
  type JsonValue,
  ownMember,
  toPointer,
} from "@agentprint/canonical-json";
import { type Place, SchemaDocument } from "@agentprint/json-schema";
import type { StepBudget } from "@agentprint/schema-diff";
import { ReachReader, verdictOn } from "./schema-reach.ts";

/**
 * A kind of value that an input lets through and did not before: free text, anything at all, or more values than a list, a constant, a
 * pattern, a format or a length let through. `unproven-values`: whether a pattern or a length lets more through could not be determined.
 */
export type OpeningKind = "free-text" | "anything" | "more-values" | "unproven-values";

/** A place of an input schema that lets more through than before. */
export interface Opening {
  readonly kind: OpeningKind;
  /** RFC 6901 JSON Pointer from the schema: of the parameter, or of the keyword that changed. */
  readonly pointer: string;
}

interface Pair {
  readonly before: Place;
  readonly after: Place;
}

interface Loosened {
  readonly kind: "more-values" | "unproven-values";
  readonly path: readonly string[];
}

const CHOICES = ["allOf", "anyOf", "oneOf"] as const;
const BESIDE = ["then", "else", "dependentSchemas"] as const;
/** Keywords that list values. */
const LISTS = ["enum", "const"];
/** Keywords that restrict texts. */
const BOUNDS = ["pattern", "format", "maxLength"];
/** Pairs of schemas that are compared; what lies behind them has no openings of its own. */
const MAX_PAIRS = 10_000;

/** Returns where an input schema lets more through than the one before, each place once. */
export function findOpenings(before: JsonValue, after: JsonValue, budget: StepBudget): Opening[] {
  return new OpeningFinder(before, after, budget).find();
}

class OpeningFinder {
  readonly #before: ReachReader;
  readonly #after: ReachReader;
  readonly #budget: StepBudget;
  readonly #open: Pair[];
  readonly #found = new Map<string, Opening>();

  constructor(before: JsonValue, after: JsonValue, budget: StepBudget) {
    const [old, now] = [new SchemaDocument(before), new SchemaDocument(after)];
    this.#before = new ReachReader(old, budget);
    this.#after = new ReachReader(now, budget);
    this.#budget = budget;
    this.#open = [{ before: old.root, after: now.root }];
  }

  find(): Opening[] {
    const seen = new Set<string>();
    for (let pair = this.#open.pop(); pair !== undefined && seen.size < MAX_PAIRS; pair = this.#open.pop()) {
      const [before, after] = [this.#before.resolved(pair.before), this.#after.resolved(pair.after)];
      if (before === undefined || after === undefined) continue;
      const key = JSON.stringify([before.pointer, after.pointer]);
      if (seen.has(key)) continue;
      seen.add(key);
      if (after.pointer !== "") this.#comparePlace(before, after);
      this.#compareParts(before, after);
    }
    return [...this.#found.values()];
  }

  #add(kind: OpeningKind, pointer: string): void {
    this.#found.set(`${kind} ${pointer}`, { kind, pointer });
  }

  /** Compares what the values themselves can be. */
  #comparePlace(before: Place, after: Place): void {
    if (isSameJson(before.value, after.value)) return;
    const [was, is] = [this.#before.of(before), this.#after.of(after)];
    const bound = this.#loosened(before, after);
    if (bound !== undefined) this.#add(bound.kind, after.pointer + toPointer(bound.path));
    if (is.anything && !was.anything) this.#add("anything", after.pointer);
    else if (is.text && !was.text && bound === undefined) this.#add("free-text", after.pointer);
  }

  /** The path from a place to what lets more values through than before, or may: a keyword, or nothing for choices. */
  #loosened(before: Place, after: Place): Loosened | undefined {
    const [from, to] = [membersOf(before.value), membersOf(after.value)];
    const listed = valuesOf(this.#before, before);
    if (listed !== undefined) {
      const now = valuesOf(this.#after, after);
      const known = new Set(listed.map((value) => canonicalize(value)));
      const isMore = now === undefined || now.some((value) => !known.has(canonicalize(value)));
      return isMore ? { kind: "more-values", path: LISTS.filter((keyword) => keyword in from).slice(0, 1) } : undefined;
    }
    const bounds = BOUNDS.flatMap((bound): Loosened[] => {
      const [was, is] = [ownMember(from, bound), ownMember(to, bound)];
      const kind = was === undefined || isSameJson(was, is) ? undefined : this.#loosenedBound(bound, was, is);
      return kind === undefined ? [] : [{ kind, path: [bound] }];
    });
    return bounds.find(({ kind }) => kind === "more-values") ?? bounds[0];
  }

  #loosenedBound(bound: string, was: JsonValue, is: JsonValue | undefined): Loosened["kind"] | undefined {
    if (is === undefined || bound === "format") return "more-values";
    switch (verdictOn({ type: "string", [bound]: is }, { type: "string", [bound]: was }, this.#budget)) {
      case "compatible":
        return undefined;
      case "breaking":
        return "more-values";
      default:
        return "unproven-values";
    }
  }

  #compareParts(before: Place, after: Place): void {
    for (const keyword of ["properties", "patternProperties"]) {
      const known = new Map(this.#before.below(before, keyword));
      for (const [name, place] of this.#after.below(after, keyword)) {
        const old = known.get(name);
        if (old === undefined) this.#addNew(place);
        else this.#open.push({ before: old, after: place });
      }
    }
    this.#compareRest(before, after, "additionalProperties", "unevaluatedProperties");
    this.#compareElements(before, after);
    for (const keyword of CHOICES) this.#compareChoices(before, after, keyword);
    for (const keyword of BESIDE) {
      const known = new Map(this.#before.below(before, keyword));
      for (const [key, place] of this.#after.below(after, keyword))
        this.#open.push({ before: known.get(key) ?? anyValue(before), after: place });
    }
  }

  /** Judges a parameter that is new. */
  #addNew(place: Place): void {
    const reach = this.#after.of(place);
    if (reach.anything || reach.anythingInside) this.#add("anything", place.pointer);
    else if (reach.text || reach.textInside) this.#add("free-text", place.pointer);
  }

  /** Compares what further members or elements can be; a schema that does not say lets everything through. */
  #compareRest(before: Place, after: Place, ...keywords: readonly string[]): void {
    const rest = (reader: ReachReader, place: Place): Place => {
      const [said] = keywords.flatMap((keyword) => reader.below(place, keyword).map(([, each]) => each));
      return said ?? { ...place, pointer: place.pointer + toPointer([keywords[0] as string]), value: true };
    };
    const [was, is] = [rest(this.#before, before), rest(this.#after, after)];
    if (isSameJson(was.value, is.value)) return;
    if (was.value === false) this.#addNew(is);
    else this.#open.push({ before: was, after: is });
  }

  #compareElements(before: Place, after: Place): void {
    const isList = ({ value }: Place): boolean => Array.isArray(membersOf(value)["items"]);
    if (!isList(before) && !isList(after)) this.#compareRest(before, after, "items");
    for (const keyword of ["prefixItems", "additionalItems", ...(isList(after) ? ["items"] : [])]) {
      const known = new Map(this.#before.below(before, keyword));
      for (const [key, place] of this.#after.below(after, keyword)) {
        const old = known.get(key);
        if (old === undefined) this.#addNew(place);
        else this.#open.push({ before: old, after: place });
      }
    }
  }

  /** Pairs the choices that both sides have alike, then the others where both have as many. */
  #compareChoices(before: Place, after: Place, keyword: string): void {
    const [old, now] = [choicesOf(this.#before, before, keyword), choicesOf(this.#after, after, keyword)];
    const gone = [...old].filter(([text]) => !now.has(text)).map(([, place]) => place);
    const added = [...now].filter(([text]) => !old.has(text)).map(([, place]) => place);
    const isEven = gone.length === added.length;
    for (const [index, place] of added.entries())
      this.#open.push({ before: (isEven && gone[index]) || anyValue(before), after: place });
    for (const [text, place] of now) {
      const same = old.get(text);
      if (same) this.#open.push({ before: same, after: place });
    }
  }
}

/** The choices of a place by their canonical texts. */
function choicesOf(reader: ReachReader, place: Place, keyword: string): Map<string, Place> {
  return new Map(reader.below(place, keyword).map(([, choice]) => [canonicalize(choice.value), choice]));
}

/** A place that lets everything through: nothing behind it is an opening but its new parameters. */
function anyValue(place: Place): Place {
  return { ...place, pointer: `${place.pointer}/`, value: {} };
}

/** Returns the values that a place lists, in any notation; `undefined` where it takes others. */
function valuesOf(reader: ReachReader, place: Place, depth = 0): JsonValue[] | undefined {
  const at = reader.resolved(place);
  if (at === undefined || depth > MAX_NESTED_CHOICES) return undefined;
  const { const: one, enum: several, type } = membersOf(at.value);
  if (one !== undefined) return [one];
  if (Array.isArray(several)) return [...several];
  if (type === "null") return [null];
  const choices = ["anyOf", "oneOf"].flatMap((keyword) => reader.below(at, keyword));
  const all = choices.map(([, choice]) => valuesOf(reader, choice, depth + 1));
  return all.length > 0 && all.every((values) => values !== undefined) ? all.flat() : undefined;
}

/** Levels of choices inside choices that are read for their values. */
const MAX_NESTED_CHOICES = 8;

function membersOf(schema: JsonValue): JsonObject {
  return isJsonObject(schema) ? schema : {};
}
