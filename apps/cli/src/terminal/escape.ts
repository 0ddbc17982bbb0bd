// Everything a terminal or a reviewer could be fooled by: C0 and C1 controls, DEL, line and paragraph separators,
// lone surrogates, and all format characters (bidi controls, zero-width characters, tags, soft hyphen, BOM).
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** One line of text that is safe to print: each control, format or unpaired character as `\u{…}`. */
export function escapeText(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** As {@link escapeText}, keeping line breaks. */
export function escapeLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => escapeText(line.replaceAll("\t", "  ")))
    .join("\n");
}
