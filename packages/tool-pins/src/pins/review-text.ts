import { compareCodeUnits, escapeJsonText } from "@agentprint/canonical-json";
import { coded } from "../errors.ts";
import { requireOption } from "../require-option.ts";

/**
 * Returns JSON text for review, with members in code-unit order, an indentation of two spaces, escaped invisible
 * characters and a final line feed; `undefined` if the text has more than `maxBytes` bytes of UTF-8.
 *
 * @throws {@link ToolPinsError} `invalid-argument` if the value is not JSON, or `maxBytes` is not a number.
 *
 * @example
 * ```ts
 * import { reviewText } from "@agentprint/tool-pins/judgement";
 *
 * console.log(reviewText({ b: 1, a: 2 }, 1000)?.split("\n").length); // 5
 * ```
 */
export function reviewText(value: unknown, maxBytes: number): string | undefined {
  requireOption(typeof maxBytes === "number", "maxBytes", "a number", maxBytes);
  return coded("invalid-argument", () => writeText(value, maxBytes));
}

/** Does the same as {@link reviewText} for a value that is known to be JSON. */
export function writeText(value: unknown, maxBytes: number): string | undefined {
  const pieces: string[] = [];
  const encoder = new TextEncoder();
  let bytes = 0;
  const isWritten = writePrettyJson(value, (piece) => {
    bytes += encoder.encode(piece).length;
    pieces.push(piece);
    return bytes < maxBytes; // the final line feed adds one
  });
  return isWritten ? `${pieces.join("")}\n` : undefined;
}

/** Writes JSON text piece by piece, as long as `write` returns true. */
function writePrettyJson(value: unknown, write: (piece: string) => boolean, indent = "\n"): boolean {
  if (typeof value !== "object" || value === null) return write(escapeJsonText(JSON.stringify(value)));
  const members = Array.isArray(value) ? value.map((item) => ["", item] as const) : sortedMembers(value);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (members.length === 0) return write(open + close);
  const inner = `${indent}  `;
  let separator = open;
  for (const [key, member] of members) {
    if (!write(`${separator}${inner}${key}`) || !writePrettyJson(member, write, inner)) return false;
    separator = ",";
  }
  return write(`${indent}${close}`);
}

function sortedMembers(object: object): (readonly [string, unknown])[] {
  return Object.entries(object)
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([key, member]) => [`${escapeJsonText(JSON.stringify(key))}: `, member]);
}
