import type { JsonObject } from "@agentprint/canonical-json";

/**
 * A schema from a library that follows [Standard Schema](https://standardschema.dev): zod, valibot, ArkType, Effect
 * Schema and others.
 */
export interface LibrarySchema {
  readonly "~standard": {
    readonly version: number;
    readonly vendor: string;
    /** The functions of Standard JSON Schema, if the library has them. */
    readonly jsonSchema?: unknown;
  };
  /** Writes the JSON Schema, as zod's schemas do. */
  readonly toJSONSchema?: unknown;
}

/**
 * Which JSON Schema is written for a library's schema: the result of its own `toJSONSchema()`, or one of the two in
 * Standard JSON Schema, for the values that the schema accepts (`"input"`) or returns (`"output"`).
 */
export type SchemaView = "to-json-schema" | "input" | "output";

/**
 * A library's result for one view of a schema: the JSON Schema, `unstable` if two results differ, or `failed` if the
 * library threw or returned something other than a JSON Schema. In the last case, `cause` is the thrown value, or an
 * error that describes the result.
 */
export type WrittenSchema =
  | { readonly type: "written"; readonly schema: JsonObject | boolean }
  | { readonly type: "unstable" }
  | { readonly type: "failed"; readonly cause: unknown };

/** Writes one schema as JSON Schema. */
export interface SchemaWriter {
  /**
   * Converts the schema twice and compares both results with the first one for this schema. The returned JSON Schema is
   * a copy, so it does not change when the library changes its own.
   */
  write(): WrittenSchema;
  /**
   * Returns whether the result expresses everything that the schema requires of a value, as far as the library shows
   * it: ArkType writes `{}` for a `Date`, a `bigint` or a symbol, and Effect for a class instance. Code, such as a
   * refinement or a transformation, is ignored.
   */
  isWhole(): boolean;
}

/** Queries a library for one view of a schema. */
export interface Answers {
  readonly ask: () => unknown;
  readonly isWhole: SchemaWriter["isWhole"];
}
