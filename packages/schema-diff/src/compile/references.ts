import { fromPointer, type JsonValue, type PathSegment, toPointer } from "@agentprint/canonical-json";
import { isObject, member } from "./json.ts";

/** A place in a schema document. */
export interface Place {
  readonly pointer: string;
  readonly value: JsonValue;
  /** The base URI that relative references resolve against. */
  readonly base: string;
}

const ROOT = "agentprint-schema:///";

/** Keywords whose value is data: an `$id` inside is none. */
const DATA: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);

/** The places that references of one document can name. Nothing is ever fetched. */
export class References {
  readonly root: Place;
  #places: Map<string, Place> | undefined;

  constructor(document: JsonValue) {
    this.root = { pointer: "", value: document, base: baseOf(document, ROOT) };
  }

  /** The place below another by keys and indexes; `undefined` when there is none. */
  child(place: Place, ...segments: PathSegment[]): Place | undefined {
    return this.#below(place, segments);
  }

  #below(place: Place, segments: readonly PathSegment[]): Place | undefined {
    let { value, base } = place;
    for (const segment of segments) {
      const next: JsonValue | undefined = Array.isArray(value)
        ? value[Number(segment)]
        : isObject(value)
          ? member(value, String(segment))
          : undefined;
      if (next === undefined) return undefined;
      value = next;
      base = baseOf(value, base);
    }
    return { pointer: place.pointer + toPointer(segments), value, base };
  }

  /** The target of a `$ref`; `"remote"` when it is in another document, `undefined` when it does not exist. */
  resolve(reference: string, base: string): Place | undefined | "remote" {
    const url = URL.canParse(reference, base) ? new URL(reference, base) : undefined;
    if (!url) return undefined;
    const fragment = url.hash.slice(1);
    url.hash = "";
    this.#places ??= this.#index();
    const resource = this.#places.get(url.href);
    if (!resource) return "remote";
    if (fragment === "") return resource;
    if (!fragment.startsWith("/")) return this.#places.get(`${url.href}#${fragment}`);
    const pointer = decode(fragment);
    return pointer === undefined ? undefined : this.#below(resource, fromPointer(pointer));
  }

  /** The place at a JSON Pointer of the document. */
  at(pointer: string): Place | undefined {
    return this.#below(this.root, fromPointer(pointer));
  }

  #index(): Map<string, Place> {
    const places = new Map([[this.root.base, this.root]]);
    const queue: Place[] = [this.root];
    for (const place of queue) {
      const { value } = place;
      if (Array.isArray(value)) for (const i of value.keys()) queue.push(this.child(place, i) as Place);
      if (!isObject(value)) continue;
      const id = member(value, "$id");
      if (typeof id === "string" && !id.startsWith("#")) places.set(place.base, place);
      // Before 2019-09 an `$id` that is only a fragment was the anchor.
      const anchor =
        member(value, "$anchor") ?? (typeof id === "string" && id.startsWith("#") ? id.slice(1) : undefined);
      if (typeof anchor === "string") places.set(`${place.base}#${anchor}`, place);
      for (const key of Object.keys(value)) if (!DATA.has(key)) queue.push(this.child(place, key) as Place);
    }
    return places;
  }
}

function decode(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

function baseOf(value: JsonValue, base: string): string {
  const id = isObject(value) ? member(value, "$id") : undefined;
  if (typeof id !== "string" || id.startsWith("#") || !URL.canParse(id, base)) return base;
  const url = new URL(id, base);
  url.hash = "";
  return url.href;
}
