import { ToolPinsError } from "../errors.ts";
import { MAX_BYTES } from "../limits.ts";
import { checkPins } from "./check-pins.ts";
import type { ToolPins } from "./pins.ts";
import { writeText } from "./review-text.ts";

/**
 * Returns the text of pins, made for review in version control: members are sorted, the indentation is two spaces,
 * invisible characters are escaped, the text ends with a line feed, and the same pins give the same bytes.
 *
 * @throws {@link ToolPinsError} as {@link parsePins} does, and `too-large` if the text would be longer than 64 MiB of
 * UTF-8.
 *
 * @example
 * ```ts
 * import { formatPins, parsePins, pinTools } from "@agentprint/tool-pins";
 *
 * const text = formatPins(pinTools([{ name: "move" }]));
 * console.log(parsePins(text).tools.length); // 1
 * ```
 */
export function formatPins(pins: ToolPins): string {
  const text = writeText(checkPins(pins), MAX_BYTES);
  if (text !== undefined) return text;
  throw new ToolPinsError("too-large", "", `Pins have at most ${MAX_BYTES} bytes of UTF-8: pin without definitions`);
}
