import { escapeText } from "@agentprint/canonical-json";

/** The reasons that a {@link SchemaDiffError} can have. */
export type SchemaDiffErrorCode =
  /** An argument does not have the form that the function accepts. Pass what the message expects. */
  | "invalid-argument"
  /** The direction is neither `input` nor `output`. Pass one of them. */
  | "invalid-direction"
  /**
   * A schema, or a schema within it, is not valid JSON Schema. Correct it at `path`; `schema` says whether it is in the
   * old or the new schema.
   */
  | "invalid-schema"
  /** A schema is not JSON, or is too large to be read. Correct the schema, or make it smaller. */
  | "not-json"
  /** Too many schemas are nested, or apply to the same value. Flatten the schema. */
  | "schema-too-deep"
  /** Compiling the schema takes more steps than any real schema needs. Use fewer schemas and references. */
  | "schema-too-large";

/** An argument of `compareSchemas` (`before`, `after`) or of `acceptsValue` (`schema`, `value`). */
export type SchemaDiffArgument = "before" | "after" | "schema" | "value";

/**
 * The one error class of this package: an argument is not a readable JSON Schema, value or direction.
 *
 * `code` is the reason, `schema` names the argument, and `path` is the RFC 6901 JSON Pointer of its invalid part.
 *
 * @example
 * ```ts
 * import { compareSchemas, SchemaDiffError } from "@agentprint/schema-diff";
 *
 * try {
 *   compareSchemas({ type: "strng" }, true, { direction: "input" });
 * } catch (error) {
 *   console.log(error instanceof SchemaDiffError && error.code); // "invalid-schema"
 *   console.log(error instanceof SchemaDiffError && error.path); // "/type"
 * }
 * ```
 */
export class SchemaDiffError extends TypeError {
  override readonly name = "SchemaDiffError";
  readonly code: SchemaDiffErrorCode;
  /** The argument that the error is about. */
  readonly schema: SchemaDiffArgument | undefined;
  /** RFC 6901 JSON Pointer; `""` is the root. */
  readonly path: string;

  constructor(
    code: SchemaDiffErrorCode,
    schema: SchemaDiffArgument | undefined,
    path: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(escapeText(`${subjectOf(schema)}${path && ` at ${path}`}: ${message}`), options);
    this.code = code;
    this.schema = schema;
    this.path = path;
  }
}

function subjectOf(argument: SchemaDiffArgument | undefined): string {
  if (argument === undefined) return "options";
  return argument === "before" || argument === "after" ? `the schema ${argument}` : `the ${argument}`;
}
