import type { JsonObject } from "@agentprint/canonical-json/json-value";

/**
 * A schema of a library that follows [Standard Schema](https://standardschema.dev): zod, valibot, ArkType, Effect Schema and others.
 */
export interface LibrarySchema {
  readonly "~standard": {
    readonly version: number;
    readonly vendor: string;
    /** The functions of Standard JSON Schema, if the library has them. */
    readonly jsonSchema?: unknown;
  };
  /** Writes the JSON Schema, as the schemas of zod do. */
  readonly toJSONSchema?: unknown;
}

/**
 * Which JSON Schema of a library's schema is written: the one from its own `toJSONSchema()`, or one of Standard JSON
 * Schema's two, for what the schema accepts (`"input"`) or returns (`"output"`).
 */
export type SchemaView = "to-json-schema" | "input" | "output";

/**
 * The answer of a library about one view of a schema: the JSON Schema, `unstable` if two answers differ, or `failed` if
 * the library threw or answered something else than a JSON Schema. `cause` is then what was thrown, or an error that
 * says what the answer was.
 */
export type WrittenSchema =
  | { readonly type: "written"; readonly schema: JsonObject | boolean }
  | { readonly type: "unstable" }
  | { readonly type: "failed"; readonly cause: unknown };

/** Writes the JSON Schema of one schema. */
export interface SchemaWriter {
  /**
   * Asks the library twice, and compares both answers with the first one that this schema ever gave. The JSON Schema that it returns is a
   * copy, which does not change when the library changes its own.
   */
  write(): WrittenSchema;
  /**
   * Whether the answer expresses all that the schema says about a value, as far as the library tells: ArkType writes `{}` for a
   * `Date`, a `bigint` or a symbol, and Effect for an instance of a class. Code, such as a refinement or a transformation, is not counted.
   */
  isWhole(): boolean;
}

/** Asks a library about one view of a schema. */
export interface Answers {
  readonly ask: () => unknown;
  readonly isWhole: SchemaWriter["isWhole"];
}
