import { invisibleCharacters } from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";
import { piecesOf } from "./pieces-of.ts";
import { scriptExpression, unicodeExpression } from "./unicode-expression.ts";

/** Scripts whose letters take a different form next to U+200C and U+200D. */
const JOINED = scriptExpression(
  "[Arabic Syriac Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Mongolian]$",
);
/** Scripts that are written from right to left, according to Unicode. */
const FROM_THE_RIGHT = scriptExpression("[Hebrew Arabic Syriac Thaana Nko Samaritan Mandaic Adlam Hanifi_Rohingya]");
const HAS_STYLES = unicodeExpression("[\\p{ExtPict}0-9#*]$");
const EMOJI_BEFORE = unicodeExpression("[\\p{ExtPict}\\p{EMod}]\\ufe0f?$");
const EMOJI_AFTER = unicodeExpression("^\\p{ExtPict}");
/** The number of UTF-16 units on each side of a mark within which such a letter counts as near. */
const NEAR = 40;

/**
 * Returns the characters in a text that a reader cannot see, by code point, and how often each occurs. Line breaks,
 * tabs and spaces are left out, and so is a character that belongs to an emoji, joins letters in a script that uses it,
 * or is a single direction mark (U+200E, U+200F) near letters that are written from right to left.
 *
 * @example
 * ```ts
 * import { findInvisible } from "@agentprint/tool-pins/judgement";
 *
 * console.log([...findInvisible("read\u200b_file\n")]); // [ [ 'U+200B', 1 ] ]
 * ```
 */
export function findInvisible(text: string): Map<string, number> {
  checkArgument("text", text, "string");
  return invisibleIn(text);
}

/** Does the same as {@link findInvisible} without checking its argument. */
export function invisibleIn(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const { character, index } of invisibleCharacters(text)) {
    // White space that a reader sees as a break or a gap.
    if (/[^\S\v\f\u2028\u2029\ufeff]/.test(character) || isPartOfSeen(text, character, index)) continue;
    const name = `U+${Number(character.codePointAt(0)).toString(16).toUpperCase().padStart(4, "0")}`;
    found.set(name, (found.get(name) ?? 0) + 1);
  }
  return found;
}

function isPartOfSeen(text: string, character: string, index: number): boolean {
  const isMark = /[\u200e\u200f]/;
  if (isMark.test(character)) {
    // One direction mark is enough to order a text; several in a row have no further effect.
    const near = text.slice(Math.max(0, index - NEAR), index + NEAR);
    const isNext = isMark.test(text.charAt(index - 1)) || isMark.test(text.charAt(index + 1));
    return !isNext && FROM_THE_RIGHT().test(near);
  }
  const before = text.slice(Math.max(0, index - 3), index);
  // The text style and the emoji style.
  if (/[\ufe0e\ufe0f]/.test(character)) return HAS_STYLES().test(before);
  if (!/[\u200c\u200d]/.test(character)) return false;
  const joinsEmoji =
    character === "\u200d" && EMOJI_BEFORE().test(before) && EMOJI_AFTER().test(text.slice(index + 1, index + 3));
  return joinsEmoji || JOINED().test(before);
}

/** The minimum length of white space that pushes a text out of view. */
const MIN_GAP = 40;
/** Returns the length of the longest run of white space that pushes the following text out of view, or 0. */
export function longestGap(text: string): number {
  let longest = 0;
  for (const piece of piecesOf(text)) {
    for (const [gap] of piece.matchAll(/[^\S\n]{40,}|(?:[^\S\n]{0,39}\n){8,}/g))
      longest = Math.max(longest, gap.length, gap.includes("\n") ? MIN_GAP : 0);
  }
  return longest;
}
