/** The possible reasons for a {@link JsonSchemaError}. */
export type JsonSchemaErrorCode =
  /** An argument does not have the form that the function accepts. Pass what the message expects. */
  | "invalid-argument"
  /** More than `maxDepth` schemas are nested. Flatten the schema, or raise `maxDepth`. */
  | "too-deep";

/**
 * The only error class of this package, for a document that exceeds a limit.
 *
 * `code` is the reason, and `path` the RFC 6901 JSON Pointer of the first schema beyond the limit.
 *
 * @example
 * ```ts
 * import { JsonSchemaError, SchemaDocument, walkSchemas } from "@agentprint/json-schema";
 *
 * try {
 *   for (const _ of walkSchemas(new SchemaDocument({ not: { not: true } }), { maxDepth: 1 })) continue;
 * } catch (error) {
 *   console.log(error instanceof JsonSchemaError && error.code); // too-deep
 *   console.log(error instanceof JsonSchemaError && error.path); // /not/not
 * }
 * ```
 */
export class JsonSchemaError extends RangeError {
  override readonly name = "JsonSchemaError";
  readonly code: JsonSchemaErrorCode;
  /** RFC 6901 JSON Pointer; `""` is the root. */
  readonly path: string;

  constructor(code: JsonSchemaErrorCode, path: string, message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}
