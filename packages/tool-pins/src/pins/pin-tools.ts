import { isObject } from "@agentprint/canonical-json";
import { coded } from "../errors.ts";
import { requireOption } from "../require-option.ts";
import { fingerprintWithWire } from "../tool/fingerprint-tool.ts";
import type { ListedTool } from "../tool/read-definition.ts";
import { pinsDigest, sortedPins, type ToolPins } from "./pins.ts";
import { readListing, readListingText } from "./read-listing.ts";

/** Options of {@link pinTools}. */
export interface PinOptions {
  /** Whether to keep each definition, so that a comparison can say what changed. Default `false`: only digests. */
  readonly definitions?: boolean | undefined;
}

/**
 * Pins a complete listing: the array `tools` of a `tools/list` result from all pages.
 *
 * @param tools - The array as the server sent it, with any content.
 * @returns Plain JSON, which must be stored where no server can write.
 * @throws {@link ToolPinsError} `invalid-definition` for a tool that is not an object with a name, is nested deeper
 * than 1000 levels or is not JSON, and `duplicate-name` for two different tools with the same name; `path` leads into
 * the listing.
 *
 * @example
 * ```ts
 * import { compareTools, pinTools } from "@agentprint/tool-pins";
 *
 * const pins = pinTools([{ name: "move", description: "Moves a file" }], { definitions: true });
 * const { same, changes } = compareTools(pins, [{ name: "move", description: "Moves a folder" }]);
 * console.log(same, changes[0]?.pointer); // false /description
 * ```
 */
export function pinTools(tools: unknown, options: PinOptions = {}): ToolPins {
  const definitions = readDefinitionsOption(options);
  return pinsOf(readListing(tools), definitions);
}

/**
 * Pins a listing that is read from its JSON text of up to 64 MiB. Reading is stricter than with `JSON.parse`, which
 * hides repeated members and rounds numbers.
 *
 * @param text - The text of the array `tools`.
 * @throws {@link ToolPinsError} `too-large`, `invalid-json`, and as {@link pinTools}; `duplicate-name` also if a tool
 * occurs twice and a number that a double changes is not written alike in both.
 *
 * @example
 * ```ts
 * import { pinToolsText } from "@agentprint/tool-pins";
 *
 * console.log(pinToolsText('[{"name":"move"}]').tools[0]?.name); // move
 * ```
 */
export function pinToolsText(text: string | Uint8Array, options: PinOptions = {}): ToolPins {
  const definitions = readDefinitionsOption(options);
  return pinsOf(readListingText(text), definitions);
}

function readDefinitionsOption(options: PinOptions): boolean {
  return coded("invalid-argument", () => {
    requireOption(isObject(options), "options", "an object", options);
    const { definitions = false } = options;
    requireOption(typeof definitions === "boolean", "options.definitions", "true or false", definitions);
    return definitions;
  });
}

function pinsOf(listed: ReadonlyMap<string, ListedTool>, definitions: boolean): ToolPins {
  const tools = [...listed.values()];
  return sortedPins(
    pinsDigest(tools),
    tools.map(({ name, wire, definition }) => ({
      name,
      ...fingerprintWithWire(definition, wire),
      ...(definitions && { definition }),
    })),
  );
}
