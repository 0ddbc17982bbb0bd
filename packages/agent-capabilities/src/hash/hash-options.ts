import type { CanonicalizeOptions } from "@agentprint/canonical-json";

/**
 * The order of keys, tools, members, instruction lines and policy ids: of everything that the
 * rules of capability hashing (`rules/agent-capabilities.md` in `@agentprint/golden-vectors`) call sorted.
 */
export interface SortOptions {
  /**
   * `"code-unit"` (default): UTF-16 code units. `"locale"`: the `en` collation, only to verify digests that were made with
   * `localeCompare`.
   */
  readonly sort?: "code-unit" | "locale";
}

/** Which JSON Schema of a schema is hashed, and whether a schema without one is refused. */
export interface SchemaOptions {
  /**
   * `"to-json-schema"` (default): what `toJSONSchema()` of the schema returns. `"standard-json-schema"`: what
   * `~standard.jsonSchema.input({ target: "draft-2020-12" })` returns, where the library has it.
   */
  readonly schemaSource?: "to-json-schema" | "standard-json-schema";
  /** `true` makes a schema that can only be hashed as `{ vendor, version }` an error. */
  readonly requireTransparentSchemas?: boolean;
}

/** Options of every function that hashes a definition. */
export interface HashOptions extends SortOptions, SchemaOptions {}

/** The canonical text of this package is that of `JSON.stringify`, with keys in the chosen order. */
export function canonicalOptions(options: SortOptions): CanonicalizeOptions {
  return { profile: "ecmascript", keyOrder: options.sort ?? "code-unit" };
}
