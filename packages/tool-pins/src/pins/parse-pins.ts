import { MAX_BYTES, MAX_DEPTH } from "../limits.ts";
import { checkPins } from "./check-pins.ts";
import type { ToolPins } from "./pins.ts";
import { readText } from "./read-listing.ts";

/** The levels around a definition in pins: the pins, their list, the tool. */
const LEVELS_AROUND = 3;

/**
 * Reads the pins in a text of up to 64 MiB, and recomputes each digest.
 *
 * @throws {@link ToolPinsError} in this order: `too-large`, `invalid-json`, `unsupported-pin-version`, `invalid-pins`,
 * `duplicate-name`, `digest-mismatch`.
 *
 * @example
 * ```ts
 * import { parsePins, ToolPinsError } from "@agentprint/tool-pins";
 *
 * try {
 *   parsePins('{"pinVersion": 2}');
 * } catch (error) {
 *   console.log(error instanceof ToolPinsError && error.code); // unsupported-pin-version
 * }
 * ```
 */
export function parsePins(text: string | Uint8Array): ToolPins {
  return checkPins(readText(text, { maxDepth: LEVELS_AROUND + MAX_DEPTH, maxBytes: MAX_BYTES }, "invalid-json"));
}
