export { compareCodeUnits } from "./compare-code-units.ts";
export { escapeJsonText, escapeText, replaceInvisible } from "./escape-text.ts";
export { hashText } from "./hash-text.ts";
export { type InvisibleCharacter, invisibleCharacters } from "./invisible-characters.ts";
export { isSha256Hex } from "./is-sha256-hex.ts";
export { printable } from "./printable.ts";
export { sliceWithoutSplittingSurrogates, splitsSurrogates } from "./slice-without-splitting-surrogates.ts";
