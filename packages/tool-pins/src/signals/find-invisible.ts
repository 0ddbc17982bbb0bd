import { invisibleCharacters } from "@agentprint/canonical-json/text";
import { checkArgument } from "../check-argument.ts";

/** Characters that a reader sees as a break or a gap. */
const SPACE = /^[\n\r\t\p{Zs}]$/u;
const [TEXT_STYLE, EMOJI_STYLE, JOINER, NON_JOINER] = ["\ufe0e", "\ufe0f", "\u200d", "\u200c"];
const STYLED = /[\p{Extended_Pictographic}0-9#*]$/u;
const PICTOGRAPH_BEFORE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?$/u;
const PICTOGRAPH_BEHIND = /^\p{Extended_Pictographic}/u;
/** Scripts whose letters take a different form next to U+200C and U+200D. */
const JOINED_BEFORE =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Mongolian}]$/u;

const [LEFT_TO_RIGHT, RIGHT_TO_LEFT] = ["\u200e", "\u200f"];
const MARK = /[\u200e\u200f]/;
/** Letters that are written from right to left: of the scripts that Unicode has for that. */
const RIGHT_TO_LEFT_LETTER =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;
/** UTF-16 units on each side of a mark in which such a letter stands. */
const NEAR = 40;

/**
 * The characters that a reader cannot see, by their code points, and how often each is in a text. Line breaks, tabs and
 * spaces are left out, and so is what belongs to an emoji, joins letters in a script that has it, or is a single mark
 * of direction (U+200E, U+200F) near letters that are written from right to left.
 *
 * @example
 * ```ts
 * import { findInvisible } from "@agentprint/tool-pins";
 *
 * console.log([...findInvisible("read\u200b_file\n")]); // [ [ 'U+200B', 1 ] ]
 * ```
 */
export function findInvisible(text: string): Map<string, number> {
  checkArgument("text", text, "string");
  const found = new Map<string, number>();
  for (const { character, index } of invisibleCharacters(text)) {
    if (SPACE.test(character) || isPartOfSeen(text, character, index)) continue;
    const name = `U+${Number(character.codePointAt(0)).toString(16).toUpperCase().padStart(4, "0")}`;
    found.set(name, (found.get(name) ?? 0) + 1);
  }
  return found;
}

function isPartOfSeen(text: string, character: string, index: number): boolean {
  if (character === LEFT_TO_RIGHT || character === RIGHT_TO_LEFT) return isMarkOfDirection(text, index);
  const before = text.slice(Math.max(0, index - 3), index);
  if (character === EMOJI_STYLE || character === TEXT_STYLE) return STYLED.test(before);
  if (character !== JOINER && character !== NON_JOINER) return false;
  const behind = text.slice(index + 1, index + 3);
  if (character === JOINER && PICTOGRAPH_BEFORE.test(before) && PICTOGRAPH_BEHIND.test(behind)) return true;
  return JOINED_BEFORE.test(before);
}

/** Whether a mark of direction puts a text in order: several in a row order nothing more. */
function isMarkOfDirection(text: string, index: number): boolean {
  if (MARK.test(text.charAt(index - 1)) || MARK.test(text.charAt(index + 1))) return false;
  return RIGHT_TO_LEFT_LETTER.test(text.slice(Math.max(0, index - NEAR), index + NEAR));
}

/** White space from which on it pushes a text out of view. */
const MIN_GAP = 40;
const GAP = /[^\S\n]{40,}|(?:[^\S\n]{0,39}\n){8,}/g;

/** The length of the longest run of white space that pushes the following text out of view, or 0. */
export function longestGap(text: string): number {
  let longest = 0;
  for (const [gap] of text.matchAll(GAP)) longest = Math.max(longest, gap.length, gap.includes("\n") ? MIN_GAP : 0);
  return longest;
}
