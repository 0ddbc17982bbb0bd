import { fromPointer, isJsonObject, type JsonObject, type JsonValue, toPointer } from "@agentprint/canonical-json";
import { formOf, keywordOf } from "@agentprint/json-schema";
import type { VaryingForm, VaryingKind } from "./varying-member.ts";

/** The values that a varying place can have: a text, any value, or an array in any order. */
export type PlaceForm = "text" | "any" | "set";

/** A value at a place that may vary, and the kind of values allowed there. */
export interface VaryingPlace {
  readonly form: PlaceForm;
  readonly value: JsonValue;
}

/** The reason why a place has no member that may vary: there is no value, or the value is part of the contract. */
export type NoPlace = "nowhere" | "contract";

/** Returns how a member may vary at a place of this form. */
export function varyingForm(form: PlaceForm): VaryingForm {
  return form === "set" ? "set" : "any";
}

const TEXTS: Readonly<Record<Exclude<VaryingKind, "greeting">, readonly string[]>> = {
  tool: ["title", "description"],
  prompt: ["title", "description"],
  resource: ["title", "description"],
};
const SCHEMAS = new Set(["inputSchema", "outputSchema"]);

/**
 * Returns the member of a definition or greeting that a pointer leads to, if that may vary: prose, `default`,
 * `examples`, `_meta`, and the order of `enum` and `required`. Only own members of objects count.
 */
export function varyingPlace(kind: VaryingKind, root: JsonObject, pointer: string): VaryingPlace | NoPlace {
  const path = fromPointer(pointer);
  const [first, ...rest] = path;
  if (first === undefined || toPointer(path) !== pointer) return "nowhere";
  const value = memberAt(root, first);
  if (value === undefined) return "nowhere";
  if (kind === "greeting") return first === "instructions" ? textAt(value, rest) : "contract";
  if (TEXTS[kind].includes(first)) return textAt(value, rest);
  if (first === "_meta") return anyAt(value, rest);
  if (kind === "tool" && SCHEMAS.has(first)) {
    const place = schemaPlace(value, rest);
    return typeof place === "object" && place.form !== "text" && isReferenced(root, pointer) ? "contract" : place;
  }
  if (kind === "tool" && first === "annotations" && rest[0] === "title") return below(value, rest, textAt);
  if (kind === "prompt" && first === "arguments") return below(value, rest, argumentPlace);
  return "contract";
}

/** Returns an own member of an object, or an element of an array by its index as written in RFC 6901. */
export function memberAt(value: JsonValue, name: string): JsonValue | undefined {
  if (Array.isArray(value)) return INDEX.test(name) ? value[Number(name)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

type Look = (value: JsonValue, rest: readonly string[]) => VaryingPlace | NoPlace;

function below(value: JsonValue, [name, ...rest]: readonly string[], look: Look): VaryingPlace | NoPlace {
  const member = name === undefined ? undefined : memberAt(value, name);
  return member === undefined ? "nowhere" : look(member, rest);
}

function textAt(value: JsonValue, rest: readonly string[]): VaryingPlace | NoPlace {
  if (rest.length > 0) return "nowhere";
  return typeof value === "string" ? { form: "text", value } : "contract";
}

function anyAt(root: JsonValue, path: readonly string[]): VaryingPlace | NoPlace {
  let value: JsonValue | undefined = root;
  for (const name of path) {
    value = memberAt(value, name);
    if (value === undefined) return "nowhere";
  }
  return { form: "any", value };
}

function setAt(value: JsonValue, rest: readonly string[]): VaryingPlace | NoPlace {
  return rest.length === 0 && Array.isArray(value) ? { form: "set", value } : "contract";
}

const ARGUMENT_TEXTS = new Set(["title", "description"]);

function argumentPlace(argument: JsonValue, rest: readonly string[]): VaryingPlace | NoPlace {
  return ARGUMENT_TEXTS.has(rest[0] ?? "") ? below(argument, rest, textAt) : "contract";
}

/** Follows a path from one schema to the next, to any depth of the definition. */
function schemaPlace(root: JsonValue, path: readonly string[]): VaryingPlace | NoPlace {
  let schema: JsonValue = root;
  for (let at = 0; at < path.length; ) {
    const name = path[at++] as string;
    const value = isJsonObject(schema) ? memberAt(schema, name) : undefined;
    if (value === undefined) return "nowhere";
    if (name === "default" || name === "examples") return anyAt(value, path.slice(at));
    if (name === "enum" || name === "required") return setAt(value, path.slice(at));
    const keyword = keywordOf(name);
    if (keyword?.kind === "prose") return textAt(value, path.slice(at));
    const form = formOf(keyword?.content, value);
    if (form === undefined) return "contract";
    if (form !== "schema" && at === path.length) return "contract";
    const next = form === "schema" ? value : memberAt(value, path[at++] as string);
    if (next === undefined) return "nowhere";
    schema = next;
  }
  return "contract";
}

/**
 * Returns whether one of the tool's references may lead to the place or below it, so that a validator reads a schema
 * there. A reference's base is not resolved, so the reference counts if its pointer matches any end of the place's
 * pointer.
 */
function isReferenced(tool: JsonObject, pointer: string): boolean {
  const targets = targetsOf(tool);
  if (targets.length === 0) return false;
  const ends = [...pointer.matchAll(/\//g)].map(({ index }) => `${pointer.slice(index)}/`);
  return targets.some((target) => ends.some((end) => target.startsWith(end)));
}

const REFERENCES = ["$ref", "$dynamicRef", "$recursiveRef"];
const TARGETS = new WeakMap<JsonObject, readonly string[]>();

/** Returns the pointers in a tool's references, each with a trailing slash. */
function targetsOf(tool: JsonObject): readonly string[] {
  const known = TARGETS.get(tool);
  if (known !== undefined) return known;
  const targets: string[] = [];
  const open: JsonValue[] = [tool];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    for (const [name, value] of Object.entries(next)) {
      open.push(value);
      if (REFERENCES.includes(name) && typeof value === "string") targets.push(`${fragmentOf(value)}/`);
    }
  }
  TARGETS.set(tool, targets);
  return targets;
}

function fragmentOf(reference: string): string {
  const fragment = reference.slice(reference.indexOf("#") + 1);
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
