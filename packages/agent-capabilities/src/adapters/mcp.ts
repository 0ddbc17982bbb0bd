import { checkArgument } from "../check-argument.ts";
import type { Tool } from "../define/composable.ts";
import { tool } from "../define/tool.ts";
import { guarded } from "../errors.ts";
import { type JsonSchemaWrapper, jsonSchema } from "../hash/json-schema.ts";
import { type AdapterOptions, missingHandler, unadaptable } from "./adapter-options.ts";
import { namesNotHashed } from "./not-hashed.ts";

export type { AdapterOptions };

/** The members of a tool in an MCP `tools/list` result that its static hash covers. */
export interface McpTool {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly inputSchema: object;
}

const COVERED = ["name", "description", "inputSchema"];

/**
 * Turns an MCP server's tool, as the server sent it or as `listTools` of the v1 SDK returned it, into a tool of this
 * package. Its static hash covers name, description and input schema, and not title, output schema, annotations or
 * `_meta`.
 *
 * @param wire - One entry of `tools/list`, from an untrusted server.
 * @param options - `handler` (calls the server) and `validate` make it executable.
 * @returns A tool. `notHashed` names the members that its hash leaves out, such as `outputSchema` and `annotations`.
 * @throws {@link CapabilityError} `invalid-argument` or `invalid-schema` when a member of the tool is malformed
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
  checkArgument("options", options, "object");
  if (typeof wire !== "object" || wire === null) throw unadaptable("MCP tool", "expected an object");
  const { name, description, inputSchema } = readTool(wire);
  const notHashed = guarded("invalid-argument", "MCP tool", () => namesNotHashed(wire, COVERED));
  return tool<JsonSchemaWrapper, unknown, string, Env>({
    handler: missingHandler(name),
    ...options,
    name,
    description,
    notHashed,
    inputSchema: jsonSchema(inputSchema, options),
  });
}

/**
 * Returns the object that is hashed for an MCP server's tool. Unlike {@link fromMcpTool}, this function accepts a
 * definition that lacks members that the protocol requires; the payload then lacks them too.
 *
 * @param wire - One entry of `tools/list`, from an untrusted server.
 * @returns The payload. Its `hashPlainObject` is the static hash of `fromMcpTool(wire)`.
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

/** The object that is hashed for an MCP server's tool. */
export interface McpToolPayload {
  readonly kind: "tool";
  readonly name: unknown;
  readonly description: unknown;
  readonly schema: unknown;
  readonly instructions: readonly never[];
  readonly policies: readonly never[];
}
