import { hashPlainObject } from "@agentprint/agent-capabilities";
import { mcpToolCanonicalPayload } from "@agentprint/agent-capabilities/mcp";
import { CanonicalJsonError, hashCanonical, type PathSegment, toPointer } from "@agentprint/canonical-json";
import { McpLockError } from "./errors.ts";
import { MAX_DEPTH } from "./limits.ts";
import type { JsonObject } from "./snapshot.ts";
import { type Layer, toolLayers } from "./tool-layers.ts";

/** SHA-256 digests of a tool that a lock holds, 64 lowercase hexadecimal digits each. */
export type ToolDigests = Readonly<Record<"wire" | Layer, string>>;

/** All digests of a tool. `static` is its capability hash: name, description and input schema. */
export type ToolFingerprint = ToolDigests & Readonly<Record<"static", string>>;

/**
 * Fingerprints a tool as it came over the wire: the whole, each of its four layers, and the hash that the tool has as a
 * capability of an agent (`fromMcpTool(tool).staticHash` of agent-capabilities).
 *
 * `wire` changes if and only if at least one of the layers does. The payloads are those of {@link toolLayers}, hashed
 * as RFC 8785 canonical JSON.
 *
 * @throws {McpLockError} `invalid-definition` when the value is not a JSON object, is nested deeper than 1000 levels or
 * holds what canonical JSON refuses, such as a lone surrogate.
 *
 * @example
 * ```ts
 * import { fingerprintTool } from "@agentprint/mcp-lock";
 *
 * const before = fingerprintTool({ name: "move_file", annotations: { destructiveHint: false } });
 * const after = fingerprintTool({ name: "move_file", annotations: { destructiveHint: true } });
 * console.log(before.contract === after.contract); // true
 * console.log(before.hints === after.hints); // false
 * ```
 */
export function fingerprintTool(tool: JsonObject): ToolFingerprint {
  return { ...digestTool(tool), static: hashPlainObject(mcpToolCanonicalPayload(tool)) };
}

/** The digests of a tool that a lock holds; `wire` is its {@link hashDefinition}. */
export function digestTool(tool: JsonObject, wire: string = hashDefinition(tool)): ToolDigests {
  const layers = toolLayers(tool);
  return {
    wire,
    contract: hashCanonical(layers.contract),
    prose: hashCanonical(layers.prose),
    hints: hashCanonical(layers.hints),
    rest: hashCanonical(layers.rest),
  };
}

/** Digest of a wire value; what canonical JSON refuses becomes an error of this package that says where it is. */
export function hashDefinition(definition: unknown, at: readonly PathSegment[] = []): string {
  try {
    return hashCanonical(definition, { maxDepth: MAX_DEPTH });
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    throw new McpLockError("invalid-definition", toPointer(at) + error.path, error.message, { cause: error });
  }
}
