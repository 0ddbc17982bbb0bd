import {
  fromPointer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
  type PathSegment,
  toPointer,
} from "@agentprint/canonical-json";
import { type Dialect, dialectOf } from "./dialect.ts";
import { keywordOf } from "./keywords.ts";
import { someMember } from "./members.ts";
import type { Meter, Place, Resolution } from "./place.ts";

/**
 * The role of a place: a schema or a list of schemas, an object of schemas by name, or an unknown keyword's value.
 */
type Role = "schema" | "names" | "other";

type Scope = Pick<Place, "base" | "dialect">;

/**
 * The number of steps for parsing a URI of any length, and the number of its UTF-16 units that each additional step
 * reads.
 */
const PARSE_STEPS = 4;
const UNITS_A_STEP = 32;

/** The base URI of a document that declares none. */
const ROOT = "agentprint-schema:///";

/** Characters that a URI cannot contain, and that `URL` would remove from a reference. */
const REMOVED = /[\t\n\r]|^[\0- ]|[\0- ]$/;

/**
 * An array index in the notation of RFC 6901. Leading zeros are refused, so that each place has exactly one pointer.
 */
const INDEX = /^(?:0|[1-9]\d*)$/;

/** The keywords whose text gives a schema a URI. */
const IDENTIFIER = /^(?:id|\$(?:id|anchor|dynamicAnchor))$/;

const FREE: Meter = { spend: () => undefined };

/**
 * A schema document, with its places and the targets of its references. Nothing is ever fetched. The document must not
 * change while it is in use, because its URIs are indexed once.
 *
 * @example
 * ```ts
 * import { SchemaDocument } from "@agentprint/json-schema";
 *
 * const document = new SchemaDocument({ $ref: "#/$defs/name", $defs: { name: { type: "string" } } });
 * const target = document.resolve("#/$defs/name", document.root.base);
 * console.log(target.type === "found" && target.place.value); // { type: "string" }
 * ```
 */
export class SchemaDocument {
  readonly root: Place;
  readonly #meter: Meter;
  /** The places by URI; `undefined` if several schemas have the same URI. */
  #places: Map<string, Place | undefined> | undefined;

  /** @param meter Receives the number of steps for reading URIs and for indexing the places that they identify. */
  constructor(document: JsonValue, meter: Meter = FREE) {
    this.#meter = meter;
    const outer: Scope = { base: ROOT, dialect: dialectOf(document) };
    this.root = { pointer: "", value: document, ...this.#scopeOf(document, outer) };
  }

  /** Returns the place to which names and indexes lead from another place, or `undefined` if nothing is there. */
  child(place: Place, ...segments: PathSegment[]): Place | undefined {
    return this.#below(place, segments);
  }

  /** Returns the value at a JSON Pointer in the document, or `undefined` if nothing is there. */
  at(pointer: string): JsonValue | undefined {
    return valueBelow(this.root.value, fromPointer(pointer));
  }

  /** Returns where a reference leads. A relative reference is resolved against the URI `base` (2020-12 Core §8.2). */
  resolve(reference: string, base: string): Resolution {
    const url = REMOVED.test(reference) ? undefined : this.#parse(reference, base);
    if (!url) return { type: "missing" };
    const { href, hash } = url;
    url.hash = "";
    this.#places ??= this.#index();
    const resource = this.#places.get(url.href);
    if (!resource) return this.#places.has(url.href) ? { type: "ambiguous" } : { type: "remote", uri: href };
    const fragment = hash.slice(1);
    if (fragment === "") return found(resource);
    if (!fragment.startsWith("/")) {
      return this.#places.has(href) ? found(this.#places.get(href), "ambiguous") : { type: "missing" };
    }
    const pointer = decode(fragment);
    return found(pointer === undefined ? undefined : this.#below(resource, fromPointer(pointer)));
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

  /**
   * Returns every place that has a URI, even below keywords that JSON Schema does not know, because references can lead
   * there.
   */
  #index(): Map<string, Place | undefined> {
    const places = new Map<string, Place | undefined>([[this.root.base, this.root]]);
    if (!someMember(this.root.value, (name, value) => IDENTIFIER.test(name) && typeof value === "string"))
      return places;
    const add = (uri: string, place: Place): void => {
      places.set(uri, places.has(uri) && places.get(uri) !== place ? undefined : place);
    };
    const queue: { place: Place; role: Role; outer: string }[] = [{ place: this.root, role: "schema", outer: ROOT }];
    for (const { place, role, outer } of queue) {
      const { value, base, dialect } = place;
      const visit = (key: PathSegment, below: Role): void => {
        queue.push({ place: this.child(place, key) as Place, role: below, outer: base });
      };
      if (Array.isArray(value)) for (const i of value.keys()) visit(i, role);
      this.#meter.spend(1);
      if (!isJsonObject(value)) continue;
      const uri = this.#uriOf(value, dialect, outer);
      if (uri !== undefined) add(uri, place);
      for (const anchor of anchorsOf(value)) add(`${base}#${anchor}`, place);
      // Without `$schema` the draft is unknown: in draft-04 `id` names the schema, but in later drafts it means
      // nothing.
      const doubtful = dialect === undefined ? this.#uriOf(value, 4, outer) : undefined;
      if (doubtful !== undefined && !places.has(doubtful)) places.set(doubtful, undefined);
      for (const key of Object.keys(value)) {
        const below = roleBelow(role, key);
        if (below !== undefined) visit(key, below);
      }
    }
    return places;
  }

  #scopeOf(value: JsonValue, outer: Scope): Scope {
    if (!isJsonObject(value)) return outer;
    const dialect = textOf(value, "$schema") === undefined ? outer.dialect : dialectOf(value);
    const base = this.#uriOf(value, dialect, outer.base) ?? outer.base;
    return base === outer.base && dialect === outer.dialect ? outer : { base, dialect };
  }

  /** Returns the URI by which a schema can be referred to and against which its own references resolve (2020-12 Core §8.2.1). */
  #uriOf(schema: JsonObject, dialect: Dialect, base: string): string | undefined {
    const id = (dialect === 4 ? textOf(schema, "id") : undefined) ?? textOf(schema, "$id");
    const url = id === undefined || id.startsWith("#") ? undefined : this.#parse(id, base);
    if (url) url.hash = "";
    return url?.href;
  }

  #parse(reference: string, base: string): URL | undefined {
    this.#meter.spend(PARSE_STEPS + (reference.length + base.length) / UNITS_A_STEP);
    return URL.canParse(reference, base) ? new URL(reference, base) : undefined;
  }
}

function found(place: Place | undefined, otherwise: "missing" | "ambiguous" = "missing"): Resolution {
  return place ? { type: "found", place } : { type: otherwise };
}

function valueBelow(value: JsonValue, segments: readonly PathSegment[]): JsonValue | undefined {
  let below: JsonValue | undefined = value;
  for (const segment of segments) {
    if (Array.isArray(below)) below = INDEX.test(String(segment)) ? below[Number(segment)] : undefined;
    else below = isJsonObject(below) ? ownMember(below, String(segment)) : undefined;
  }
  return below;
}

/** Returns the role of the value under a key, or `undefined` for data, in which a member `$id` names nothing. */
function roleBelow(role: Role, key: string): Role | undefined {
  if (role !== "schema") return role === "names" ? "schema" : "other";
  const content = keywordOf(key)?.content;
  if (content === "data") return undefined;
  if (content === "by-name") return "names";
  return content ? "schema" : "other";
}

function decode(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/** Returns the anchors that a schema declares. Before 2019-09 an id that consists only of a fragment was an anchor. */
function anchorsOf(schema: JsonObject): string[] {
  const ids = [textOf(schema, "$id"), textOf(schema, "id")].filter((id) => id?.startsWith("#"));
  const anchors = [textOf(schema, "$anchor"), textOf(schema, "$dynamicAnchor")];
  return [...anchors, ...ids.map((id) => id?.slice(1))].filter((anchor) => anchor !== undefined);
}

function textOf(schema: JsonObject, keyword: string): string | undefined {
  const value = ownMember(schema, keyword);
  return typeof value === "string" ? value : undefined;
}
