import { isPlainObject, type PathSegment, toPointer } from "@agentprint/canonical-json";
import type { SpecWarning } from "./spec-warning.ts";
import { isStandardSchema } from "./standard-schema.ts";

/** The values inside an object that JSON does not write. */
export interface UnseenValues {
  readonly warnings: readonly SpecWarning[];
  /** Whether the object contains a Standard Schema. */
  readonly hasSchemas: boolean;
}

/** The position of an object. Its path is built only if there is a warning about it. */
interface Place {
  readonly object: object;
  readonly key: PathSegment;
  readonly parent: Place | undefined;
  /** Whether a `toJSON` method returned the object. `JSON.stringify` does not call the `toJSON` of such an object. */
  readonly isWritten: boolean;
}

/**
 * The maximum number of warnings about values. If there are more, the last warning counts those that are not listed.
 */
const MAX_WARNINGS = 20;

/**
 * Returns the places in an object that can change without changing its JSON, outer places first. A shared object is
 * visited once.
 */
export function findUnseen(root: object): UnseenValues {
  const search = new Search(root);
  return { warnings: search.warnings(), hasSchemas: search.hasSchemas };
}

class Search {
  hasSchemas = false;
  readonly #found: SpecWarning[] = [];
  #unlisted = 0;
  readonly #places: Place[];
  readonly #seen = new Set<object>();

  constructor(root: object) {
    this.#places = [{ object: root, key: "", parent: undefined, isWritten: false }];
    for (const place of this.#places) {
      if (this.#seen.has(place.object)) continue;
      this.#seen.add(place.object);
      this.#visit(place);
    }
  }

  warnings(): readonly SpecWarning[] {
    if (this.#unlisted === 0) return this.#found;
    const message = `${this.#unlisted + 1} more places hold something that is not hashed; they are not listed`;
    return [...this.#found.slice(0, -1), { code: "more-unseen", path: "", message }];
  }

  /** Adds the places inside an object, as `JSON.stringify` reads it, to the places to visit. */
  #visit(place: Place): void {
    const { object, isWritten } = place;
    const { toJSON } = object as { readonly toJSON?: unknown };
    if (isStandardSchema(object)) {
      this.hasSchemas = true;
      const message = "a schema is hashed by its JSON Schema, which has no refinements or transformations";
      this.#warn("schema-by-json-schema", message, place);
    } else if (typeof toJSON === "function" && !isWritten) {
      const message = "a value with toJSON is hashed as toJSON writes it; its other content is not hashed";
      this.#warn("custom-json", message, place);
      this.#written(toJSON.call(object, String(place.key)), place);
    } else if (typeof object === "function") this.#warn("unhashed-function", "a function is not hashed", place);
    else if (Array.isArray(object)) this.#array(object, place);
    else this.#object(object, place);
  }

  #written(written: unknown, { key, parent }: Place): void {
    if (isObjectOrFunction(written)) this.#places.push({ object: written, key, parent, isWritten: true });
    else this.#member(written, key, parent, false);
  }

  #array(array: readonly unknown[], place: Place): void {
    // Own keys are listed in this order: indexes, `length`, and members that JSON does not write.
    const isBare = Reflect.ownKeys(array).at(-1) === "length" && isObjectPrototype(prototypeOf(prototypeOf(array)));
    if (!isBare) this.#warn("hidden-members", "only an array's elements are hashed", place);
    for (let index = 0; index < array.length; index++) this.#member(array[index], index, place, true);
  }

  #object(object: object, place: Place): void {
    if (hasHiddenMembers(object)) {
      const message = "only an object's own enumerable members are hashed, and this object has others";
      this.#warn("hidden-members", message, place);
    }
    for (const key of Object.keys(object)) {
      this.#member((object as { readonly [key: string]: unknown })[key], key, place, false);
    }
  }

  #member(value: unknown, key: PathSegment, parent: Place | undefined, isElement: boolean): void {
    if (isObjectOrFunction(value)) this.#places.push({ object: value, key, parent, isWritten: false });
    else if (typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0))) {
      const text = Object.is(value, -0) ? "-0" : String(value);
      this.#warn("altered-value", `${text} is hashed as ${JSON.stringify(value)}`, { key, parent });
    } else if (typeof value === "symbol") this.#warn("hidden-members", "a symbol is not hashed", { key, parent });
    else if (value === undefined && isElement) {
      this.#warn("altered-value", "undefined is hashed as null", { key, parent });
    }
  }

  #warn(code: SpecWarning["code"], message: string, place: Pick<Place, "key" | "parent">): void {
    if (this.#found.length < MAX_WARNINGS) this.#found.push({ code, path: pathOf(place), message });
    else this.#unlisted++;
  }
}

/** Returns the JSON Pointer of a place. */
function pathOf({ key, parent }: Pick<Place, "key" | "parent">): string {
  const path: PathSegment[] = [];
  for (let at: Pick<Place, "key" | "parent"> = { key, parent }; at.parent !== undefined; at = at.parent)
    path.push(at.key);
  return toPointer(path.reverse());
}

/** Returns whether an object is not plain or has symbol or non-enumerable members. */
export function hasHiddenMembers(object: object): boolean {
  return !isPlainObject(object) || Reflect.ownKeys(object).length !== Object.keys(object).length;
}

function isObjectOrFunction(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function prototypeOf(value: object | null): object | null {
  return value === null ? null : Object.getPrototypeOf(value);
}

/** Returns whether an object is the `Object.prototype` of some realm. */
function isObjectPrototype(value: object | null): boolean {
  return value !== null && prototypeOf(value) === null && Object.hasOwn(value, "hasOwnProperty");
}
