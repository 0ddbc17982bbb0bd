import { type JsonObject, type JsonValue, ownMember, parseCanonical, toPointer } from "@agentprint/canonical-json";
import type { LibrarySchema } from "@agentprint/json-schema";
import { SpecError } from "./errors.ts";
import { isRememberingJsonSchema, isStandardSchema, showSchema } from "./standard-schema.ts";

/** A schema inside a value. */
export interface SchemaPlace {
  /** RFC 6901 JSON Pointer. */
  readonly path: string;
  /** The JSON that `JSON.stringify` writes for the library's object; `null` if it writes nothing. */
  readonly json: JsonValue;
}

/** A value whose schemas have been converted. */
export interface ShownValue {
  readonly value: unknown;
  readonly places: readonly SchemaPlace[];
}

/**
 * Returns a copy of a value as `JSON.stringify` reads it, in which each Standard Schema is replaced by its JSON
 * Schemas, `{ "~standard": { input, output } }`. JSON Schema that remembers its schema also has its own JSON there, as
 * `json`.
 *
 * @throws {@link SpecError} the codes of {@link showSchema}
 */
export function showSchemas(value: unknown): ShownValue {
  const places: SchemaPlace[] = [];

  const describe = (schema: LibrarySchema, holder: unknown, key: string, path: string): object => {
    const shown = showSchema(schema, path);
    // Called only after the conversion, because a recursive schema writes different JSON once its library has followed
    // the reference.
    const json = jsonOf(holder, key);
    places.push({ path, json });
    return { "~standard": isRememberingJsonSchema(schema) ? { ...shown, json } : shown };
  };

  const show = (member: unknown, key: string, path: string): unknown => {
    if (isStandardSchema(member)) return describe(member, member, key, path);
    if ((typeof member !== "object" && typeof member !== "function") || member === null) return member;
    const { toJSON } = member as { readonly toJSON?: unknown };
    const written: unknown = typeof toJSON === "function" ? toJSON.call(member, key) : member;
    if (isStandardSchema(written)) return describe(written, member, key, path);
    // JSON leaves functions out. A function returned by a `toJSON` has no JSON text either, even if it has a `toJSON`.
    if (typeof written === "function") return undefined;
    if (typeof written !== "object" || written === null) return written;
    if (Array.isArray(written)) {
      return Array.from(written, (element, index) => show(element, String(index), `${path}/${index}`));
    }
    const entries = Object.entries(written);
    // Two kinds of objects are left unchanged, so that the canonicalizer checks them: an object without members, whose
    // content JSON may not see, and a String object, whose members are its characters.
    if (entries.length === 0 || Object.prototype.toString.call(written) === "[object String]") return written;
    return Object.fromEntries(entries.map(([name, inner]) => [name, show(inner, name, path + toPointer([name]))]));
  };

  return { value: show(value, "", ""), places };
}

/**
 * @param holder - The schema, or the value whose `toJSON` returned the schema: JSON may write the latter differently.
 */
function jsonOf(holder: unknown, key: string): JsonValue {
  let text: string;
  try {
    text = JSON.stringify({ [key]: holder });
  } catch {
    text = JSON.stringify({ [key]: holder }, eachObjectOnce());
  }
  return ownMember(parseCanonical(text) as JsonObject, key) ?? null;
}

/**
 * Returns a replacer that writes an object in full only at its first place, so that a cyclic object has a text, too.
 */
function eachObjectOnce(): (key: string, value: unknown) => unknown {
  const seen = new Map<object, number>();
  return (_key, value) => {
    if (typeof value !== "object" || value === null) return value;
    const place = seen.get(value);
    if (place !== undefined) return { "~same": place };
    seen.set(value, seen.size);
    return value;
  };
}

/**
 * Refuses JSON that contains more schemas than were converted: an object whose `~standard` was absent when it was
 * checked, but present when it was written, would count as a schema with these JSON Schemas.
 *
 * @throws {@link SpecError} `unstable-schema`
 */
export function refuseLateSchemas(json: JsonValue, shown: number): void {
  let found = 0;
  const queue: JsonValue[] = [json];
  for (const value of queue) {
    if (typeof value !== "object" || value === null) continue;
    if (isStandardSchema(value)) found++;
    else for (const member of Object.values(value)) queue.push(member);
  }
  if (found === shown) return;
  const message =
    "spec cannot be hashed: an object had ~standard only when it was read again. Make the object the same each time.";
  throw new SpecError("unstable-schema", "", message);
}
