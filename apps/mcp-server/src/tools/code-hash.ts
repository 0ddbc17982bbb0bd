import { setImmediate } from "node:timers/promises";
import { codeHashNormalizedTool, createTextHasher, executeCodeHashNormalized } from "@agentprint/content-hash";
import type { JsonSchemaType } from "@modelcontextprotocol/server";
import { fromJsonSchema } from "@modelcontextprotocol/server";
import { defineTool, READS } from "./tool.ts";

/** UTF-16 units that are hashed before other calls, and a cancellation, get their turn. */
const PIECE_LENGTH = 2 ** 18;

const { name, description, inputSchema, outputSchema, annotations } = codeHashNormalizedTool;

/** Hashes as the package does, in pieces. */
const service = (signal: AbortSignal) => ({
  computeTextHash: async (content: string): Promise<string> => {
    const hasher = createTextHasher();
    for (let start = 0; start < content.length; start += PIECE_LENGTH) {
      await setImmediate(undefined, { signal });
      hasher.update(content.slice(start, start + PIECE_LENGTH));
    }
    return hasher.digest();
  },
});

/**
 * `code_hash_normalized`, as its specification has it. Arguments that its schema refuses are answered with the seven keys,
 * too, so that the tool itself looks at them.
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
    // What arrived with the call, such as its cancellation, is read first.
    await setImmediate();
    const options = { service: service(signal), signal, maxBytes: services.config.hash_limit };
    const content = await executeCodeHashNormalized(textOf(input), options);
    if (content.success) return { content, text: `${content.hash} (${content.contentLength} bytes)` };
    const errorCode = content.errorCode ?? "UNEXPECTED_ERROR";
    if (errorCode === "CANCELLED") services.log.info({ tool: name, payload: content }, "cancelled");
    return { content, text: `${errorCode}: ${content.errorMessage}`, errorCode };
  },
});

/** The JSON text of the arguments; a text that is none where they nest too deep to be written. */
function textOf(input: unknown): string {
  try {
    return JSON.stringify(input ?? null);
  } catch {
    return "[";
  }
}
