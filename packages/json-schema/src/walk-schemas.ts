import { isJsonObject, type JsonValue } from "@agentprint/canonical-json";
import { checkArgument } from "./check-argument.ts";
import type { Draft } from "./dialect.ts";
import { JsonSchemaError } from "./errors.ts";
import { MAX_SCHEMA_DEPTH } from "./limits.ts";
import type { Place } from "./place.ts";
import type { SchemaDocument } from "./schema-document.ts";
import { pathOf, schemaSlots } from "./schema-slots.ts";

/** How a walk reads a document. */
export interface WalkOptions {
  /**
   * The draft whose keywords are known. By default, each schema is read in the draft that it declares, or in all drafts
   * if it declares none.
   */
  readonly draft?: Draft;
  /** The maximum number of nested schemas that the walk follows. Default 1,000. */
  readonly maxDepth?: number;
}

/**
 * Yields every schema in a document, the root first, level by level. The values of `const`, `default`, `enum` and
 * `examples`, and of keywords that JSON Schema does not know, are not schemas. Does not follow references.
 *
 * @throws {@link JsonSchemaError} `too-deep` when more than `maxDepth` schemas are nested.
 * @example
 * ```ts
 * import { SchemaDocument, walkSchemas } from "@agentprint/json-schema";
 *
 * const document = new SchemaDocument({ $ref: "#/$defs/name", $defs: { name: { type: "string" } } });
 * for (const { pointer } of walkSchemas(document)) console.log(pointer || "(root)");
 * // (root)
 * // /$defs/name
 * ```
 */
export function* walkSchemas(document: SchemaDocument, options: WalkOptions = {}): Iterable<Place> {
  checkArgument("document", document, "object");
  checkArgument("options", options, "object");
  const { draft, maxDepth = MAX_SCHEMA_DEPTH } = options;
  let level: Place[] = [document.root].filter(({ value }) => isSchema(value));
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) {
      const message = `expected at most ${maxDepth} schemas inside one another`;
      throw new JsonSchemaError("too-deep", (level[0] as Place).pointer, message);
    }
    yield* level;
    level = level.flatMap((place) => subschemas(document, place, draft ?? draftOf(place)));
  }
}

/** Returns the schemas directly inside a schema. */
function subschemas(document: SchemaDocument, place: Place, draft: Draft | undefined): Place[] {
  if (!isJsonObject(place.value)) return [];
  const places: Place[] = [];
  for (const slot of schemaSlots(place.value, draft)) {
    if (isSchema(slot.value)) places.push(document.child(place, ...pathOf(slot)) as Place);
  }
  return places;
}

function isSchema(value: JsonValue): boolean {
  return typeof value === "boolean" || isJsonObject(value);
}

function draftOf({ dialect }: Place): Draft | undefined {
  return dialect === "unknown" ? undefined : dialect;
}
