// Controls, format and bidi characters, lone surrogates, private use, noncharacters, everything that renders as
// nothing (Default_Ignorable: fillers, variation selectors, tags) and every space that is not U+0020.
// U+2800 is a blank that Unicode calls a symbol.
const UNSEEN =
  /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Shows every character that a terminal or a reader would not see as what it is in the form `\u{202e}`.
 *
 * The result is one line that holds neither line breaks nor terminal escapes, bidirectional controls, invisible
 * characters or lone surrogates. A backslash stays as it is: the form is for reading, not for parsing back.
 *
 * @example
 * ```ts
 * import { escapeText } from "@agentprint/report";
 *
 * escapeText("read\u202e_file\n"); // "read\\u{202e}_file\\u{a}"
 * ```
 */
export function escapeText(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u{${codePointHex(character)}}`);
}

/** The same characters as JSON escapes. Outside its strings a JSON text has none of them but line feeds, which stay. */
export function escapeJsonText(json: string): string {
  return json.replace(UNSEEN, (character) => (character === "\n" ? character : jsonEscape(character)));
}

function codePointHex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}

function jsonEscape(character: string): string {
  let escaped = "";
  for (let index = 0; index < character.length; index++) {
    escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }
  return escaped;
}
