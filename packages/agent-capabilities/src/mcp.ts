import { type AdapterOptions, missingHandler, unadaptable } from "./adapter.ts";
import { guarded } from "./guarded.ts";
import { type JsonSchemaWrapper, jsonSchema } from "./json-schema.ts";
import { type Tool, tool } from "./tool.ts";

export type { AdapterOptions };

/** The keys of a tool in an MCP `tools/list` result that are part of its static hash. */
export interface McpTool {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly inputSchema: object;
}

/**
 * A tool of an MCP server, as it came over the wire or from the v1 SDK's `listTools`. Its static hash covers name,
 * description and input schema; title, output schema, annotations and `_meta` are not capabilities of the text.
 *
 * @param wire - One entry of `tools/list`, from a server that need not be trusted.
 * @param options - `handler` (calls the server) and `validate` make it executable.
 * @returns A tool.
 * @throws {CapabilityError} `invalid-argument` or `invalid-schema`.
 * @see Capability hashing, "Tool static hash (`kind: "tool"`)"
 * @example
 * ```ts
 * import { fromMcpTool } from "@agentprint/agent-capabilities/mcp";
 *
 * const echo = fromMcpTool({ name: "echo", inputSchema: { type: "object" } });
 * echo.staticHash.length; // 64
 * ```
 */
export function fromMcpTool<Env = unknown>(
  wire: McpTool,
  options: AdapterOptions<Env> = {},
): Tool<Env, JsonSchemaWrapper, unknown> {
  if (typeof wire !== "object" || wire === null) throw unadaptable("MCP tool", "expected an object");
  const { name, description, inputSchema } = readTool(wire);
  return tool<JsonSchemaWrapper, unknown, string, Env>({
    handler: missingHandler(name),
    ...options,
    name,
    description,
    inputSchema: jsonSchema(inputSchema, options),
  });
}

/**
 * The object that is hashed for a tool of an MCP server. Unlike {@link fromMcpTool} it takes a definition that lacks what
 * the protocol requires, and leaves out what is not there.
 *
 * @param wire - One entry of `tools/list`, from a server that need not be trusted.
 * @returns The payload; hashed with `hashPlainObject` it gives the static hash of `fromMcpTool(wire)`.
 * @see Capability hashing, "Tool static hash (`kind: "tool"`)"
 * @example
 * ```ts
 * import { hashPlainObject } from "@agentprint/agent-capabilities";
 * import { fromMcpTool, mcpToolCanonicalPayload } from "@agentprint/agent-capabilities/mcp";
 *
 * const wire = { name: "echo", inputSchema: { type: "object" } };
 * hashPlainObject(mcpToolCanonicalPayload(wire)) === fromMcpTool(wire).staticHash; // true
 * ```
 */
export function mcpToolCanonicalPayload(wire: Readonly<Record<string, unknown>>): McpToolPayload {
  const { name, description, inputSchema } = readTool(wire);
  return {
    kind: "tool",
    name,
    description: description ?? null,
    schema: inputSchema,
    instructions: [],
    policies: [],
  };
}

function readTool<Wire extends Partial<Record<"name" | "description" | "inputSchema", unknown>>>(
  wire: Wire,
): Pick<Wire, "name" | "description" | "inputSchema"> {
  return guarded("invalid-argument", "MCP tool", () => ({
    name: wire.name,
    description: wire.description,
    inputSchema: wire.inputSchema,
  }));
}

/** What is hashed of a wire tool. */
export interface McpToolPayload {
  readonly kind: "tool";
  readonly name: unknown;
  readonly description: unknown;
  readonly schema: unknown;
  readonly instructions: readonly never[];
  readonly policies: readonly never[];
}
