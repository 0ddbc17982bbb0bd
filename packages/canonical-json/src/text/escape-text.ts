import { invisibleExpression } from "./invisible-characters.ts";

/**
 * Returns the text with a replacement for each character that {@link escapeText} escapes.
 *
 * @example
 * ```ts
 * import { replaceInvisible } from "@agentprint/canonical-json/text";
 *
 * console.log(replaceInvisible("read\u200b_file", () => "?")); // read?_file
 * ```
 */
export function replaceInvisible(text: string, replacement: (character: string) => string): string {
  return text.replace(invisibleExpression(), replacement);
}

/**
 * Returns the text with every character that a terminal or a reader would not show or see in the form `\u{202e}`.
 *
 * The result is one line without line breaks, terminal escapes, bidirectional controls, invisible characters or lone
 * surrogates. A backslash is unchanged, because the form is for reading, not for parsing back.
 *
 * @example
 * ```ts
 * import { escapeText } from "@agentprint/canonical-json";
 *
 * console.log(escapeText("read\u202e_file\n")); // read\u{202e}_file\u{a}
 * ```
 */
export function escapeText(text: string): string {
  return replaceInvisible(text, (character) => `\\u{${Number(character.codePointAt(0)).toString(16)}}`);
}

/**
 * Returns a JSON text with the same characters written as JSON escapes of their UTF-16 code units, `\u202e` or
 * `\udb40\udd00`, so that the text is read back as the same value. Outside strings, JSON text contains none of these
 * characters except white space; line feeds are kept.
 *
 * @example
 * ```ts
 * import { escapeJsonText } from "@agentprint/canonical-json";
 *
 * console.log(escapeJsonText(JSON.stringify(["read\u202e_file"])) === '["read\\u202e_file"]'); // true
 * ```
 */
export function escapeJsonText(json: string): string {
  return json.replace(invisibleExpression(), (character) => (character === "\n" ? character : jsonEscape(character)));
}

function jsonEscape(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
