import type { JsonValue } from "@agentprint/canonical-json";
import { member } from "../json.ts";
import type { Subschema } from "./walk-schema.ts";

/** What the references in one schema lead to. Nothing is fetched; an `$id` counts as it is written. */
export class References {
  readonly #root: JsonValue | undefined;
  readonly #byId = new Map<string, JsonValue>();
  readonly #byAnchor = new Map<string, JsonValue>();
  /** For each schema the one with an `$id` that it stands in, or the root. */
  readonly #homes = new Map<JsonValue, JsonValue>();

  /** @param subschemas what `walkSchema` found: each after the one that it stands in */
  constructor(subschemas: readonly Subschema[]) {
    this.#root = subschemas[0]?.schema;
    for (const { schema, place } of subschemas) {
      const id = member(schema, "$id");
      if (typeof id === "string") this.#byId.set(id.replace(/#$/, ""), schema);
      const home = typeof id === "string" ? schema : place && this.#homes.get(place.parent.schema);
      this.#homes.set(schema, home ?? schema);
      for (const keyword of ["$anchor", "$dynamicAnchor"]) {
        const anchor = member(schema, keyword);
        if (typeof anchor === "string") this.#byAnchor.set(anchor, schema);
      }
    }
  }

  /** The schema that the part of a reference before `#` names; `undefined` for one that is somewhere else. */
  homeOf(from: JsonValue, reference: string): JsonValue | undefined {
    const [id = ""] = reference.split("#", 1);
    return id === "" ? (this.#homes.get(from) ?? this.#root) : this.#byId.get(id);
  }

  /** What a reference in a schema leads to; `undefined` when it leads nowhere or out. */
  resolve(from: JsonValue, reference: string): JsonValue | undefined {
    const home = this.homeOf(from, reference);
    const hash = reference.indexOf("#");
    const fragment = hash < 0 ? "" : reference.slice(hash + 1);
    if (home === undefined || fragment === "") return home;
    return fragment.startsWith("/") ? followPointer(home, fragment) : this.#byAnchor.get(fragment);
  }
}

function followPointer(home: JsonValue, pointer: string): JsonValue | undefined {
  let target: JsonValue | undefined = home;
  for (const segment of pointer.split("/").slice(1)) {
    const key = decode(segment).replaceAll("~1", "/").replaceAll("~0", "~");
    target = Array.isArray(target) ? target[Number(key)] : member(target, key);
  }
  return target;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
