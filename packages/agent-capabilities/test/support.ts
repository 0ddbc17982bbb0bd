import { type JsonSchemaWrapper, jsonSchema, type Policy, type Tool, tool } from "../src/index.ts";

/** Accepts any input; for tests that are not about input. */
export const anything: JsonSchemaWrapper = jsonSchema(true, { validate: (value) => ({ value }) });

/** Returns a tool that returns its own name. */
export function namedTool<const Name extends string>(
  name: Name,
  policies: readonly Policy<unknown>[] = [],
  instructions: readonly string[] = [],
): Tool<unknown, JsonSchemaWrapper, string, Name> {
  return tool({ name, inputSchema: anything, policies, instructions, handler: (): string => name });
}
