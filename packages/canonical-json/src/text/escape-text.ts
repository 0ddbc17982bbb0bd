let invisible: RegExp | undefined;

/**
 * The characters that a reader cannot see, or that change what a reader sees around them: controls, format and
 * bidirectional controls, everything that Unicode ignores by default (fillers, joiners, variation selectors, tags, and
 * the code points reserved for more of them), surrogates without their other half, private use, noncharacters, every
 * space that is not U+0020, and letters and symbols without ink (U+2800, U+FFFC, U+13441–13442, U+16FE4, U+1D159).
 *
 * Classes that Unicode never changes are named, the others are listed as of Unicode 17: the text of a lock file must be
 * the same on every version of Node. The expression is made when first needed, because it loads Unicode data of the engine.
 */
function invisibleCharacters(): RegExp {
  invisible ??=
    /[\p{Cc}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\u00a0\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0\ufff0-\ufffc\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{13441}\u{13442}\u{1bca0}-\u{1bca3}\u{1d159}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\u034f|[\u17b4-\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]|\u{16fe4}/gu;
  return invisible;
}

/**
 * A text with something else in place of each character that a reader cannot see or that changes what a reader sees: those
 * that {@link escapeText} escapes.
 *
 * @example
 * ```ts
 * import { replaceUnseen } from "@agentprint/canonical-json/text";
 *
 * console.log(replaceUnseen("read\u200b_file", () => "?")); // read?_file
 * ```
 */
export function replaceUnseen(text: string, replacement: (character: string) => string): string {
  return text.replace(invisibleCharacters(), replacement);
}

/**
 * Shows every character that a terminal or a reader would not see as what it is in the form `\u{202e}`.
 *
 * The result is one line that holds neither line breaks nor terminal escapes, bidirectional controls, invisible
 * characters or lone surrogates. A backslash stays as it is: the form is for reading, not for parsing back.
 *
 * @example
 * ```ts
 * import { escapeText } from "@agentprint/canonical-json";
 *
 * console.log(escapeText("read\u202e_file\n")); // read\u{202e}_file\u{a}
 * ```
 */
export function escapeText(text: string): string {
  return replaceUnseen(text, (character) => `\\u{${Number(character.codePointAt(0)).toString(16)}}`);
}

/**
 * Shows the same characters of a JSON text as JSON escapes of their UTF-16 code units, `\u202e` or `\udb40\udd00`, so that
 * the text is read back as the same value. Outside its strings a JSON text has none of them but the white space of JSON:
 * line feeds stay.
 *
 * @example
 * ```ts
 * import { escapeJsonText } from "@agentprint/canonical-json";
 *
 * console.log(escapeJsonText(JSON.stringify(["read\u202e_file"])) === '["read\\u202e_file"]'); // true
 * ```
 */
export function escapeJsonText(json: string): string {
  return json.replace(invisibleCharacters(), (character) => (character === "\n" ? character : jsonEscape(character)));
}

function jsonEscape(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
