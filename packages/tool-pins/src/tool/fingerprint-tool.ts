import { canonicalText, hashText, type JsonObject } from "@agentprint/canonical-json";
import { coded } from "../errors.ts";
import { definitionText } from "./read-definition.ts";
import { type Layer, toolLayers } from "./tool-layers.ts";

/** SHA-256 digests of the complete tool and of each of its layers; 64 lowercase hexadecimal digits each. */
export type ToolFingerprint = Readonly<Record<"wire" | Layer, string>>;

/**
 * Fingerprints a tool as received: the complete tool, and each of its four layers.
 *
 * `wire` changes if and only if at least one of the layers does. The payloads are those of {@link toolLayers}, hashed
 * as RFC 8785 canonical JSON.
 *
 * @throws {@link ToolPinsError} `invalid-definition` when the value is not a JSON object, is nested deeper than 1000
 * levels or contains a value that canonical JSON refuses, such as a lone surrogate.
 *
 * @example
 * ```ts
 * import { fingerprintTool } from "@agentprint/tool-pins";
 *
 * const before = fingerprintTool({ name: "move_file", annotations: { destructiveHint: false } });
 * const after = fingerprintTool({ name: "move_file", annotations: { destructiveHint: true } });
 * console.log(before.contract === after.contract); // true
 * console.log(before.hints === after.hints); // false
 * ```
 */
export function fingerprintTool(tool: JsonObject): ToolFingerprint {
  return fingerprintWithWire(tool, hashText(definitionText(tool, "")));
}

/**
 * Returns the fingerprint of a tool whose `wire` digest is already computed.
 *
 * @throws {@link ToolPinsError} as {@link fingerprintTool} does.
 *
 * @example
 * ```ts
 * import { fingerprintTool } from "@agentprint/tool-pins";
 * import { fingerprintWithWire } from "@agentprint/tool-pins/judgement";
 *
 * const { wire, hints } = fingerprintTool({ name: "move_file" });
 * console.log(fingerprintWithWire({ name: "move_file" }, wire).hints === hints); // true
 * ```
 */
export function fingerprintWithWire(tool: JsonObject, wire: string): ToolFingerprint {
  return coded("invalid-definition", () => {
    const { contract, prose, hints, rest } = toolLayers(tool);
    return { wire, contract: hashOf(contract), prose: hashOf(prose), hints: hashOf(hints), rest: hashOf(rest) };
  });
}

function hashOf(layer: JsonObject): string {
  return hashText(canonicalText(layer));
}
