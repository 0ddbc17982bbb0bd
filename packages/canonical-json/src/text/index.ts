export { compareCodeUnits } from "./compare-code-units.ts";
export { escapeJsonText, escapeText, replaceUnseen } from "./escape-text.ts";
export { isSha256Hex } from "./is-sha256-hex.ts";
export { printable } from "./printable.ts";
export { sliceWithoutSplittingSurrogates, splitsSurrogates } from "./slice-without-splitting-surrogates.ts";
