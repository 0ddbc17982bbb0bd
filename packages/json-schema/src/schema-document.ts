import {
  fromPointer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
  type PathSegment,
  toPointer,
} from "@agentprint/canonical-json/json-value";
import { type Dialect, type Draft, dialectOf } from "./dialect.ts";
import { JsonSchemaError } from "./errors.ts";
import { keywordOf } from "./keywords.ts";
import { MAX_SCHEMA_DEPTH } from "./limits.ts";
import type { Meter, Place, Resolution } from "./place.ts";
import { pathOf, schemaSlots } from "./schema-slots.ts";

/** How a walk reads a document. */
export interface WalkOptions {
  /** The draft whose keywords count. By default each schema is read in the draft that it declares, else in all drafts. */
  readonly draft?: Draft;
  /** Schemas inside schemas that are followed. Default 1,000. */
  readonly maxDepth?: number;
}

/** What is at a place: a schema (or a list of them), schemas by name, or something that no keyword explains. */
type Role = "schema" | "names" | "other";

type Scope = Pick<Place, "base" | "dialect">;

/** What parsing a URI takes beside reading it, and the UTF-16 units of it that are read in one step. */
const PARSE_STEPS = 4;
const UNITS_A_STEP = 32;

/** The base of a document that names none. */
const ROOT = "agentprint-schema:///";

/** An index of an array as RFC 6901 writes it: one place has one pointer. */
const INDEX = /^(?:0|[1-9]\d*)$/;

const FREE: Meter = { spend: () => undefined };

/**
 * A schema document: its places, the schemas in it, and where its references lead. Nothing is ever fetched, and the document
 * must not change.
 *
 * @example
 * ```ts
 * import { SchemaDocument } from "@agentprint/json-schema";
 *
 * const document = new SchemaDocument({ $ref: "#/$defs/name", $defs: { name: { type: "string" } } });
 * for (const { pointer } of document.schemas()) console.log(pointer); // "" "/$defs/name"
 * const target = document.resolve("#/$defs/name", document.root.base);
 * console.log(target.type === "found" && target.place.value); // { type: "string" }
 * ```
 */
export class SchemaDocument {
  readonly root: Place;
  readonly #meter: Meter;
  /** By URI; `undefined` where several schemas answer to one. */
  #places: Map<string, Place | undefined> | undefined;

  /** @param meter Counts the work that the text of the document determines: reading URIs and indexing what they name. */
  constructor(document: JsonValue, meter: Meter = FREE) {
    this.#meter = meter;
    const outer: Scope = { base: ROOT, dialect: dialectOf(document) };
    this.root = { pointer: "", value: document, ...this.#scopeOf(document, outer) };
  }

  /** The place below another by names and indexes; `undefined` when there is none. */
  child(place: Place, ...segments: PathSegment[]): Place | undefined {
    return this.#below(place, segments);
  }

  /** What stands at a JSON Pointer of the document; `undefined` when nothing does. */
  at(pointer: string): JsonValue | undefined {
    return valueBelow(this.root.value, fromPointer(pointer));
  }

  /**
   * Every schema of the document, the root first, level by level. Values of `const`, `default`, `enum` and `examples`, and
   * of keywords that JSON Schema does not know, are no schemas.
   *
   * @throws {@link JsonSchemaError} `too-deep` when more schemas stand in one another than `maxDepth`.
   */
  *schemas({ draft, maxDepth = MAX_SCHEMA_DEPTH }: WalkOptions = {}): Iterable<Place> {
    let level: Place[] = [this.root].filter(({ value }) => isSchema(value));
    for (let depth = 0; level.length > 0; depth++) {
      if (depth > maxDepth) {
        const message = `expected at most ${maxDepth} schemas inside one another`;
        throw new JsonSchemaError("too-deep", (level[0] as Place).pointer, message);
      }
      yield* level;
      level = level.flatMap((place) => this.subschemas(place, draft));
    }
  }

  /** The schemas directly in a schema. */
  subschemas(place: Place, draft: Draft | undefined = draftOf(place.dialect)): Place[] {
    const { value } = place;
    if (!isJsonObject(value)) return [];
    const places: Place[] = [];
    for (const slot of schemaSlots(value, draft)) {
      if (isSchema(slot.value)) places.push(this.#below(place, pathOf(slot)) as Place);
    }
    return places;
  }

  /** Where a reference leads that stands where relative ones resolve against `base` (2020-12 Core §8.2). */
  resolve(reference: string, base: string): Resolution {
    const url = this.#parse(reference, base);
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

  /** Everything that has a URI, also below keywords that JSON Schema does not know: references lead there, too. */
  #index(): Map<string, Place | undefined> {
    const places = new Map<string, Place | undefined>();
    const add = (uri: string, place: Place): void => {
      places.set(uri, places.has(uri) && places.get(uri) !== place ? undefined : place);
    };
    add(this.root.base, this.root);
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
      // Without `$schema` it may be draft-04, where `id` names a schema, or a later one, where it is nothing.
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

  /** The URI by which a schema can be referred to and against which its own references resolve (2020-12 Core §8.2.1). */
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

function isSchema(value: JsonValue): boolean {
  return typeof value === "boolean" || isJsonObject(value);
}

function draftOf(dialect: Dialect): Draft | undefined {
  return dialect === "unknown" ? undefined : dialect;
}

function valueBelow(value: JsonValue, segments: readonly PathSegment[]): JsonValue | undefined {
  let below: JsonValue | undefined = value;
  for (const segment of segments) {
    if (Array.isArray(below)) below = INDEX.test(String(segment)) ? below[Number(segment)] : undefined;
    else below = isJsonObject(below) ? ownMember(below, String(segment)) : undefined;
  }
  return below;
}

/** What stands under a key; `undefined` for data: an `$id` in it is none. */
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

/** Before 2019-09 an id that is only a fragment was the anchor. */
function anchorsOf(schema: JsonObject): string[] {
  const ids = [textOf(schema, "$id"), textOf(schema, "id")].filter((id) => id?.startsWith("#"));
  const anchors = [textOf(schema, "$anchor"), textOf(schema, "$dynamicAnchor")];
  return [...anchors, ...ids.map((id) => id?.slice(1))].filter((anchor) => anchor !== undefined);
}

function textOf(schema: JsonObject, keyword: string): string | undefined {
  const value = ownMember(schema, keyword);
  return typeof value === "string" ? value : undefined;
}
