/**
 * Returns `text.slice(from, to)`, extended by one UTF-16 code unit if `to` lies between the two halves of a surrogate
 * pair.
 *
 * @param text - Any text.
 * @param from - Index of the first code unit, which must not be the second half of a pair.
 * @param to - Index after the last code unit; a larger index means the end of the text.
 * @returns The piece, which ends with a complete character.
 * @example
 * ```ts
 * import { sliceWithoutSplittingSurrogates } from "@agentprint/canonical-json/text";
 *
 * console.log(sliceWithoutSplittingSurrogates("a😀b", 0, 2)); // a😀
 * ```
 */
export function sliceWithoutSplittingSurrogates(text: string, from: number, to: number): string {
  return text.slice(from, splitsSurrogates(text, to) ? to + 1 : to);
}

/**
 * Returns whether an index in a text lies between the two halves of a surrogate pair.
 *
 * @example
 * ```ts
 * import { splitsSurrogates } from "@agentprint/canonical-json/text";
 *
 * console.log(splitsSurrogates("a😀b", 2), splitsSurrogates("a😀b", 3)); // true false
 * ```
 */
export function splitsSurrogates(text: string, index: number): boolean {
  return Number(text.codePointAt(index - 1)) > HIGHEST_CODE_UNIT;
}

const HIGHEST_CODE_UNIT = 0xffff;
