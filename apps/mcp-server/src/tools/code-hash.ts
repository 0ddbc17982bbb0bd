import { setImmediate } from "node:timers/promises";
import { printable } from "@agentprint/canonical-json";
import {
  type CodeHashNormalizedResult,
  codeHashNormalizedTool,
  createTextHasher,
  executeCodeHashNormalized,
  type NormalizationLevel,
} from "@agentprint/content-hash";
import type { JsonSchemaType } from "@modelcontextprotocol/server";
import { fromJsonSchema } from "@modelcontextprotocol/server";
import { defineTool, READS } from "./tool.ts";

/** The number of UTF-16 units that are hashed before other calls or a cancellation are handled. */
const PIECE_LENGTH = 2 ** 18;
/** The most UTF-16 units of a path or label that are logged. */
const MAX_TRACED = 256;

const { name, description, inputSchema, outputSchema, annotations } = codeHashNormalizedTool;

/** Hashes text as the package does, but in pieces. */
const service = (level: NormalizationLevel, signal: AbortSignal) => ({
  computeTextHash: async (content: string): Promise<string> => {
    const hasher = createTextHasher(level);
    for (let start = 0; start < content.length; start += PIECE_LENGTH) {
      await setImmediate(undefined, { signal });
      hasher.update(content.slice(start, start + PIECE_LENGTH));
    }
    return hasher.digest();
  },
});

/**
 * `code_hash_normalized`, as its specification defines it. The tool checks its arguments itself, because arguments that
 * its schema rejects are also answered with the seven keys.
 */
export const codeHashNormalized = defineTool({
  name,
  title: annotations.title,
  description,
  input: fromJsonSchema(inputSchema as unknown as JsonSchemaType, {
    getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
  }),
  output: fromJsonSchema(outputSchema as unknown as JsonSchemaType),
  annotations: READS,
  run: async (input, { services, signal }) => {
    // Messages that arrived with the call, such as its cancellation, are read first.
    await setImmediate();
    const { hash_level, hash_limit } = services.config;
    const options = { service: service(hash_level, signal), signal, maxBytes: hash_limit };
    const content = await executeCodeHashNormalized(textOf(input), options);
    const trace = traceOf(content);
    if (content.success) return { content, text: `${content.hash} (${content.contentLength} bytes)`, trace };
    const errorCode = content.errorCode ?? "UNEXPECTED_ERROR";
    if (errorCode === "CANCELLED") services.log.info({ tool: name, payload: { ...content, ...trace } }, "cancelled");
    return { content, text: `${errorCode}: ${content.errorMessage}`, errorCode, trace };
  },
});

/** Returns the text's path and label for the log; the tool itself does not use them. */
function traceOf({ docPath, label }: CodeHashNormalizedResult): object {
  return {
    ...(docPath !== null && { docPath: printable(docPath, MAX_TRACED) }),
    ...(label !== null && { label: printable(label, MAX_TRACED) }),
  };
}

/** Returns the arguments as JSON text, or text that is not JSON if they are nested too deeply to be written. */
function textOf(input: unknown): string {
  try {
    return JSON.stringify(input ?? null);
  } catch {
    return "[";
  }
}
