/**
 * A schema of a library that follows [Standard Schema](https://standardschema.dev): zod, valibot, ArkType, Effect Schema and others.
 */
export interface LibrarySchema {
  readonly "~standard": {
    readonly version: number;
    readonly vendor: string;
    /** The functions of Standard JSON Schema, where the library has them. */
    readonly jsonSchema?: unknown;
  };
  /** Writes the JSON Schema, as the schemas of zod do. */
  readonly toJSONSchema?: unknown;
}

/**
 * Which JSON Schema of a library's schema is written: that of its own `toJSONSchema()`, or one of the two of Standard JSON Schema, of
 * what the schema accepts (`"input"`) or returns (`"output"`).
 */
export type SchemaView = "to-json-schema" | "input" | "output";

/** Writes the JSON Schema of one schema. */
export interface SchemaWriter {
  /**
   * Asks the library. The answer need not be a JSON Schema, nor the same as before.
   *
   * @throws {@link Error} of the library when the schema has no JSON Schema
   */
  write(): unknown;
  /**
   * Whether the answer expresses all that the schema says about a value, as far as the library tells: ArkType writes `{}` for a
   * `Date`, a `bigint` or a symbol, and Effect for an instance of a class. Code, such as a refinement or a transformation, is not counted.
   */
  isWhole(): boolean;
}
