import { fromPointer, type JsonValue, type PathSegment, toPointer } from "@agentprint/canonical-json";
import { type StepBudget, UNITS_A_STEP } from "../budget.ts";
import { EARLIER_SUBSCHEMA_KEYWORDS, SUBSCHEMA_KEYWORDS } from "../subschema-keywords.ts";
import { type Dialect, dialectOf } from "./dialect.ts";
import { isObject, type JsonObject, member } from "./json.ts";

/** A place in a schema document. */
export interface Place {
  readonly pointer: string;
  readonly value: JsonValue;
  /** The base URI that relative references resolve against. */
  readonly base: string;
  /** What the nearest `$schema` names, here or around. */
  readonly dialect: Dialect | "unknown";
}

type Scope = Pick<Place, "base" | "dialect">;

/** What is at a place: a schema, schemas by name, or something that no keyword explains. */
type Role = "schema" | "names" | "other";

/** What parsing a URI takes beside reading it. */
const PARSE_STEPS = 4;

const ROOT = "agentprint-schema:///";

/** Keywords whose value is data: an `$id` inside is none. */
const DATA: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);

/** An index of an array as RFC 6901 writes it: one place has one pointer. */
const INDEX = /^(?:0|[1-9]\d*)$/;

/** The places that references of one document can name. Nothing is ever fetched. */
export class References {
  readonly root: Place;
  readonly #budget: StepBudget;
  /** By URI; `undefined` where it is in doubt which place is meant. */
  #places: Map<string, Place | undefined> | undefined;

  constructor(document: JsonValue, budget: StepBudget) {
    this.#budget = budget;
    const dialect = isObject(document) ? dialectOf(document) : undefined;
    this.root = { pointer: "", value: document, ...this.#scopeOf(document, { base: ROOT, dialect }) };
  }

  /** The place below another by keys and indexes; `undefined` when there is none. */
  child(place: Place, ...segments: PathSegment[]): Place | undefined {
    return this.#below(place, segments);
  }

  #below(place: Place, segments: readonly PathSegment[]): Place | undefined {
    let { value } = place;
    let scope: Scope = place;
    for (const segment of segments) {
      const next = valueBelow(value, [segment]);
      if (next === undefined) return undefined;
      value = next;
      scope = this.#scopeOf(value, scope);
    }
    const { base, dialect } = scope;
    return { pointer: place.pointer + toPointer(segments), value, base, dialect };
  }

  /** The target of a `$ref`; `"remote"` when it is in another document, `undefined` when it does not exist. */
  resolve(reference: string, base: string): Place | undefined | "remote" {
    const url = this.#parse(reference, base);
    if (!url) return undefined;
    const fragment = url.hash.slice(1);
    url.hash = "";
    this.#places ??= this.#index();
    const resource = this.#places.get(url.href);
    if (!resource) return this.#places.has(url.href) ? undefined : "remote";
    if (fragment === "") return resource;
    if (!fragment.startsWith("/")) return this.#places.get(`${url.href}#${fragment}`);
    const pointer = decode(fragment);
    return pointer === undefined ? undefined : this.#below(resource, fromPointer(pointer));
  }

  /** What stands at a JSON Pointer of the document. */
  at(pointer: string): JsonValue | undefined {
    return valueBelow(this.root.value, fromPointer(pointer));
  }

  #index(): Map<string, Place | undefined> {
    const places = new Map<string, Place | undefined>();
    // Which of two validators take, and which of them they see at all, differs.
    const add = (uri: string, place: Place): void => {
      places.set(uri, places.has(uri) && places.get(uri) !== place ? undefined : place);
    };
    add(this.root.base, this.root);
    const queue: { place: Place; role: Role }[] = [{ place: this.root, role: "schema" }];
    for (const { place, role } of queue) {
      const { value, base, dialect } = place;
      if (Array.isArray(value)) {
        for (const i of value.keys()) queue.push({ place: this.child(place, i) as Place, role });
      }
      this.#budget.spend(1);
      if (!isObject(value)) continue;
      const uri = this.#uriOf(value, dialect, base);
      if (uri !== undefined) add(uri, place);
      for (const anchor of anchorsOf(value)) add(`${base}#${anchor}`, place);
      // Without `$schema` it may be draft-04, where `id` names a schema, or a later one, where it is nothing.
      const doubtful = dialect === undefined ? this.#uriOf(value, 4, base) : undefined;
      if (doubtful !== undefined && !places.has(doubtful)) places.set(doubtful, undefined);
      for (const key of Object.keys(value)) {
        if (role === "schema" && DATA.has(key)) continue;
        queue.push({ place: this.child(place, key) as Place, role: roleBelow(role, key) });
      }
    }
    return places;
  }

  #scopeOf(value: JsonValue, outer: Scope): Scope {
    if (!isObject(value)) return outer;
    const dialect = textOf(value, "$schema") === undefined ? outer.dialect : dialectOf(value);
    const base = this.#uriOf(value, dialect, outer.base) ?? outer.base;
    return base === outer.base && dialect === outer.dialect ? outer : { base, dialect };
  }

  /** The URI by which a schema can be referred to and against which its own references resolve. */
  #uriOf(schema: JsonObject, dialect: Dialect | "unknown", base: string): string | undefined {
    const id = (dialect === 4 ? textOf(schema, "id") : undefined) ?? textOf(schema, "$id");
    const url = id === undefined || id.startsWith("#") ? undefined : this.#parse(id, base);
    if (url) url.hash = "";
    return url?.href;
  }

  #parse(reference: string, base: string): URL | undefined {
    this.#budget.spend(PARSE_STEPS + (reference.length + base.length) / UNITS_A_STEP);
    return URL.canParse(reference, base) ? new URL(reference, base) : undefined;
  }
}

function valueBelow(value: JsonValue, segments: readonly PathSegment[]): JsonValue | undefined {
  let below: JsonValue | undefined = value;
  for (const segment of segments) {
    if (Array.isArray(below)) below = INDEX.test(String(segment)) ? below[Number(segment)] : undefined;
    else below = isObject(below) ? member(below, String(segment)) : undefined;
  }
  return below;
}

function roleBelow(role: Role, key: string): Role {
  if (role !== "schema") return role === "names" ? "schema" : "other";
  const position = SUBSCHEMA_KEYWORDS.get(key) ?? EARLIER_SUBSCHEMA_KEYWORDS.get(key);
  if (position === "by-name") return "names";
  return position ? "schema" : "other";
}

function decode(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/** Before 2019-09 an id that is only a fragment was the anchor. */
function anchorsOf(schema: JsonObject): string[] {
  const ids = [textOf(schema, "$id"), textOf(schema, "id")].filter((id) => id?.startsWith("#"));
  const anchors = [textOf(schema, "$anchor"), textOf(schema, "$dynamicAnchor")];
  return [...anchors, ...ids.map((id) => id?.slice(1))].filter((anchor) => anchor !== undefined);
}

function textOf(schema: JsonObject, keyword: string): string | undefined {
  const value = member(schema, keyword);
  return typeof value === "string" ? value : undefined;
}
