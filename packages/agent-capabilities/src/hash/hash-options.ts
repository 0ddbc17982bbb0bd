import type { CanonicalizeOptions } from "@agentprint/canonical-json";

/**
 * The order of keys, tools, members, instruction lines and policy ids, which is everything that the rules of capability
 * hashing (`rules/agent-capabilities.md` in `@agentprint/golden-vectors`) call sorted.
 */
export interface SortOptions {
  /**
   * `"code-unit"` (default): UTF-16 code units. `"locale"`: the `en` collation, only to verify digests that were made with
   * `localeCompare`.
   */
  readonly sort?: "code-unit" | "locale";
}

/** Which of a schema's JSON Schemas is hashed, and whether a schema without one is refused. */
export interface SchemaOptions {
  /**
   * `"to-json-schema"` (default): the result of the schema's `toJSONSchema()`. `"standard-json-schema"`: the result of
   * `~standard.jsonSchema.input({ target: "draft-2020-12" })`, if the library has that function.
   */
  readonly schemaSource?: "to-json-schema" | "standard-json-schema";
  /** With `true`, a schema that can only be hashed as `{ vendor, version }` is an error. */
  readonly requireTransparentSchemas?: boolean;
}

/** Options of every function that hashes a definition. */
export interface HashOptions extends SortOptions, SchemaOptions {}

/** Returns the options for this package's canonical text: the output of `JSON.stringify`, with keys in the chosen order. */
export function canonicalOptions(options: SortOptions): CanonicalizeOptions {
  return { profile: "ecmascript", keyOrder: options.sort ?? "code-unit" };
}
