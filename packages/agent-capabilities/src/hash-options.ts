import type { CanonicalizeOptions } from "@agentprint/canonical-json";

/** The order of everything that the specification calls sorted. */
export interface SortOptions {
  /**
   * `"code-unit"` (default): UTF-16 code units. `"locale"`: the `en` collation that digests were once minted with;
   * only to verify old digests.
   */
  readonly sort?: "code-unit" | "locale";
}

/** Which view of a schema is hashed. */
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

/** How this package canonicalizes: sorted `JSON.stringify`, in the chosen order. */
export function canonicalOptions(options: SortOptions): CanonicalizeOptions {
  return { profile: "ecmascript", keyOrder: options.sort ?? "code-unit" };
}
