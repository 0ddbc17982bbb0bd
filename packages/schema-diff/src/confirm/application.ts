import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { Draft } from "@agentprint/json-schema";
import { ENTRIES_A_STEP } from "../budget.ts";

/** The application of one schema to one value. */
export interface Application {
  readonly schema: LocatedSchema;
  readonly value: JsonValue;
  /** The parts of the value that the schema has evaluated so far; absent if no schema in the document needs them. */
  readonly evaluated: Evaluated | undefined;
  readonly validator: Validator;
}

/** A schema object at its place in the document. */
export interface LocatedSchema {
  readonly draft: Draft;
  /** The keywords that the draft knows, and `nullable`, each with its content. */
  readonly keywords: ReadonlyMap<string, JsonValue>;
  /** The rules for the keywords, in an order in which they can be applied. */
  readonly rules: readonly (readonly [rule: Rule, content: JsonValue])[];
  /** The targets of the schema's references, by keyword. */
  readonly targets: ReadonlyMap<string, Target>;
  readonly resource: Resource;
}

/** The part of the interpreter that the rules for keywords use. */
export interface Validator {
  /** The resources that were entered on the way to the applied schema, the outermost first. */
  readonly scope: readonly Resource[];
  /** Returns whether a value fulfils a schema. If it does, the parts that the schema has evaluated are added to `evaluated`. */
  apply(schema: JsonValue, value: JsonValue, evaluated?: Evaluated): boolean;
  matches(pattern: JsonValue, text: string): boolean;
  spend(steps: number): void;
}

/**
 * The members of an object, or elements of an array, that schemas have evaluated, and that `unevaluated…` leaves
 * out.
 */
export class Evaluated {
  readonly #parts = new Set<string | number>();
  #hasAll = false;

  has(part: string | number): boolean {
    return this.#hasAll || this.#parts.has(part);
  }

  add(part: string | number): void {
    this.#parts.add(part);
  }

  addAll(): void {
    this.#hasAll = true;
  }

  merge(other: Evaluated): void {
    this.#hasAll ||= other.#hasAll;
    for (const part of other.#parts) this.#parts.add(part);
  }

  /** The number of steps that merging this set into another takes. */
  get mergeSteps(): number {
    return this.#parts.size / ENTRIES_A_STEP;
  }
}

/** The schemas of a document that resolve their references against one URI (2020-12 Core §4.3.5). */
export interface Resource {
  /** The targets of dynamic references, which depend on the path to the reference, by anchor. */
  readonly dynamic: Map<string, JsonObject>;
}

/** Where a reference leads. */
export interface Target {
  /**
   * The target; `true`, which accepts any value, if the reference leads out of the document, because nothing is
   * fetched.
   */
  readonly schema: JsonValue;
  /** Present if the outermost resource in the scope that has this anchor takes precedence. */
  readonly anchor?: string;
}

/**
 * The rule for a keyword. Loops instead of callbacks keep the stack small, because schemas are applied inside one
 * another.
 */
export interface Rule {
  /** The type of value that the keyword restricts; absent if it restricts values of any type. */
  readonly type?: "number" | "string" | "array" | "object";
  /** Returns whether a value of the type fulfils the keyword with this content. */
  readonly holds: (content: JsonValue, value: never, application: Application) => boolean;
}

type Holds<V> = (content: JsonValue, value: V, application: Application) => boolean;

export const onAny = (holds: Holds<JsonValue>): Rule => ({ holds });
export const onNumbers = (holds: Holds<number>): Rule => ({ type: "number", holds });
export const onTexts = (holds: Holds<string>): Rule => ({ type: "string", holds });
export const onArrays = (holds: Holds<readonly JsonValue[]>): Rule => ({ type: "array", holds });
export const onObjects = (holds: Holds<JsonObject>): Rule => ({ type: "object", holds });

/** Thrown for a schema that a validator may refuse completely; no code outside this folder sees it. */
export class SchemaRefused extends Error {}

export function expectNumber(content: JsonValue): number {
  if (typeof content !== "number") throw new SchemaRefused();
  return content;
}

export function expectText(content: JsonValue): string {
  if (typeof content !== "string") throw new SchemaRefused();
  return content;
}

export function expectList(content: JsonValue): readonly JsonValue[] {
  if (!Array.isArray(content)) throw new SchemaRefused();
  return content;
}

export function expectObject(content: JsonValue): JsonObject {
  if (!isJsonObject(content)) throw new SchemaRefused();
  return content;
}
