import { deepFreeze } from "@agentprint/canonical-json/json-value";

const text = (description: string) => ({ type: "string", description }) as const;
const textOrNull = (description: string) => ({ type: ["string", "null"], description }) as const;

/** A tool as MCP describes it. Other protocols use the same parts. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly inputSchema: JsonObjectSchema;
  /** The JSON Schema of the result. */
  readonly outputSchema: JsonObjectSchema;
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** A JSON Schema that describes an object. */
export interface JsonObjectSchema {
  type: "object";
  properties: Record<string, object>;
  required: string[];
}

/**
 * The definition of `code_hash_normalized` for a model: its name, its description, its JSON Schemas and its MCP
 * annotations.
 *
 * Specification: 3.1, 4.1, 6.3, 8.
 *
 * @example
 * ```ts
 * import { codeHashNormalizedTool } from "@agentprint/content-hash";
 *
 * const { name, description, inputSchema } = codeHashNormalizedTool;
 * const forOpenAi = { type: "function", name, description, parameters: inputSchema, strict: false };
 * console.log(forOpenAi.name); // "code_hash_normalized"
 * ```
 */
export const codeHashNormalizedTool: ToolDefinition = deepFreeze({
  name: "code_hash_normalized",
  description:
    "Computes a normalized SHA-256 hash of text. Equal hashes mean equal content up to formatting. " +
    "Treat the hash as opaque, and do not infer the rules of normalization from it. " +
    "Call it only when two contents must be compared. It reads no files: pass the content itself, as one text.",
  inputSchema: {
    type: "object",
    properties: {
      content: text("The text to hash. It may be empty, but it must be present."),
      docPath: text("Path of the document, echoed for tracing. It is not read."),
      label: text("Label for tracing, echoed."),
    },
    required: ["content"],
  },
  outputSchema: {
    type: "object",
    properties: {
      success: { type: "boolean", description: "Whether the content was hashed." },
      hash: textOrNull("SHA-256 of the normalized content, 64 lowercase hex digits; null on an error."),
      contentLength: { type: "integer", minimum: 0, description: "UTF-8 bytes of the content as it was passed." },
      docPath: textOrNull("The docPath that was passed."),
      label: textOrNull("The label that was passed."),
      errorCode: textOrNull("What went wrong, or null."),
      errorMessage: textOrNull("What went wrong, in words, or null."),
    },
    required: ["success", "hash", "contentLength", "docPath", "label", "errorCode", "errorMessage"],
  },
  annotations: {
    title: "Normalized content hash",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
});
