import { replaceInvisible } from "@agentprint/canonical-json/text";
import { LOOK_ALIKES } from "./look-alikes.ts";
import { UNSEEN_NAMES } from "./unseen-names.ts";

/** Matches a word with letters that look like other letters: from the table, full-width, or mathematical. */
const WORD = /[\p{L}\p{N}\p{M}_]+/gu;
const LOOK_ALIKE =
  /[\u0131\u0251\u0261\u0370-\u03ff\u0400-\u052f\u0530-\u058f\u2170-\u217f\uff21-\uff5a\u{1d400}-\u{1d7ff}]/gu;
const ASCII_LETTER = /[A-Za-z]/;
/** The alphabets in which a word can consist entirely of letters that look Latin. */
const ALPHABETS = [/\p{Script=Cyrillic}/gu, /\p{Script=Greek}/gu, /\p{Script=Armenian}/gu];

/**
 * Returns one line in which every character is recognizable: an invisible character is written as, for example,
 * `‹U+200B ZERO WIDTH SPACE›`, and a letter that looks like others in its word, or like a Latin letter in Latin text,
 * is followed by its name.
 */
export function showText(text: string): string {
  return replaceInvisible(nameLookAlikes(text), (character) => named(character, nameOfUnseen(character)));
}

function named(character: string, name: string): string {
  const code = Number(character.codePointAt(0)).toString(16).toUpperCase().padStart(4, "0");
  return `‹U+${code}${name === "" ? "" : ` ${name}`}›`;
}

function nameOfUnseen(character: string): string {
  const code = Number(character.codePointAt(0));
  const name = UNSEEN_NAMES.get(code);
  if (name !== undefined) return name;
  if (code >= 0xfe00 && code <= 0xfe0f) return `VARIATION SELECTOR-${code - 0xfe00 + 1}`;
  if (code >= 0xe0100 && code <= 0xe01ef) return `VARIATION SELECTOR-${code - 0xe0100 + 17}`;
  if (code >= 0xe0020 && code <= 0xe007e) return `TAG ${String.fromCharCode(code - 0xe0000)}`;
  if (code <= 0x9f) return "CONTROL";
  if (code >= 0xd800 && code <= 0xdfff) return "LONE SURROGATE";
  return /\p{Co}/u.test(character) ? "PRIVATE USE" : "RESERVED";
}

function nameLookAlikes(text: string): string {
  if (text.search(LOOK_ALIKE) === -1) return text;
  // Letters that do not look like Latin letters prove that a text uses their alphabet, so its words are then unchanged.
  const genuine = ALPHABETS.filter((alphabet) => text.match(alphabet)?.some((letter) => !LOOK_ALIKES.has(letter)));
  return text.replace(WORD, (word) => {
    const isMixed = ASCII_LETTER.test(word);
    return word.replace(LOOK_ALIKE, (letter) => {
      const name = nameOfLookAlike(letter);
      const isGenuine =
        !isMixed && (name.startsWith("FULLWIDTH") || genuine.some((alphabet) => letter.search(alphabet) === 0));
      return name === "" || isGenuine ? letter : letter + named(letter, name);
    });
  });
}

function nameOfLookAlike(letter: string): string {
  const name = LOOK_ALIKES.get(letter);
  if (name !== undefined) return name;
  const ascii = letter.normalize("NFKC");
  if (!/^[A-Za-z0-9]$/.test(ascii)) return "";
  return `${letter.length === 1 ? "FULLWIDTH" : "MATHEMATICAL"} ${ascii}`;
}
