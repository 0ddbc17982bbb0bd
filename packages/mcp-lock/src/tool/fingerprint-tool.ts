import {
  CanonicalJsonError,
  hashCanonical,
  type JsonObject,
  type PathSegment,
  toPointer,
} from "@agentprint/canonical-json";
import { McpLockError } from "../errors.ts";
import { MAX_DEPTH } from "../limits.ts";
import { type Layer, toolLayers } from "./tool-layers.ts";

/** SHA-256 digests of a tool: of the whole, and of each of its layers; 64 lowercase hexadecimal digits each. */
export type ToolFingerprint = Readonly<Record<"wire" | Layer, string>>;

/**
 * Fingerprints a tool as it came over the wire: the whole, and each of its four layers.
 *
 * `wire` changes if and only if at least one of the layers does. The payloads are those of {@link toolLayers}, hashed
 * as RFC 8785 canonical JSON.
 *
 * @throws {@link McpLockError} `invalid-definition` when the value is not a JSON object, is nested deeper than 1000 levels
 * or holds a value that canonical JSON refuses, such as a lone surrogate.
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
  return fingerprintWithWire(tool, hashDefinition(tool));
}

/** The fingerprint of a tool whose `wire` digest, {@link hashDefinition}, is computed already. */
export function fingerprintWithWire(tool: JsonObject, wire: string): ToolFingerprint {
  const layers = toolLayers(tool);
  return {
    wire,
    contract: hashCanonical(layers.contract),
    prose: hashCanonical(layers.prose),
    hints: hashCanonical(layers.hints),
    rest: hashCanonical(layers.rest),
  };
}

/** Digest of a value as it came over the wire; `at` is where the value is, for the paths of errors. */
export function hashDefinition(definition: unknown, at: readonly PathSegment[] = []): string {
  try {
    return hashCanonical(definition, { maxDepth: MAX_DEPTH });
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    throw new McpLockError("invalid-definition", toPointer(at) + error.path, error.message, { cause: error });
  }
}
