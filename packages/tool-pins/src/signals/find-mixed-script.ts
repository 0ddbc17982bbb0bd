import { asLatin } from "./look-alikes.ts";

const WORD = /[\p{L}\p{M}]+/gu;
const ASCII = /^\p{ASCII}*$/u;
/** Written together in one word, also with Latin letters ("highly restrictive" of UTS #39). */
const EAST_ASIAN = ["Han", "Hiragana", "Katakana", "Bopomofo", "Hangul"];
const OTHERS =
  /* @__PURE__ */
  "Latin Greek Cyrillic Armenian Hebrew Arabic Syriac Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Georgian Ethiopic Cherokee Canadian_Aboriginal Khmer Mongolian Coptic Lisu Glagolitic Deseret Tifinagh".split(
    " ",
  );

const letterOf = (scripts: readonly string[]) => scripts.map((script) => `\\p{Script=${script}}`).join("");
let expressions: readonly RegExp[] | undefined;

/** An expression for each script that is not East Asian, for all others together, and last for the East Asian ones. */
function scriptExpressions(): readonly RegExp[] {
  expressions ??= [
    ...OTHERS.map((script) => new RegExp(`[${letterOf([script])}]`, "u")),
    new RegExp(`[^${letterOf([...OTHERS, ...EAST_ASIAN, "Common", "Inherited"])}]`, "u"),
    new RegExp(`[${letterOf(EAST_ASIAN)}]`, "u"),
  ];
  return expressions;
}

/** The words of a text that mix scripts, and those of another script that look like Latin words in a Latin text. */
export function findMixedScript(text: string): Set<string> {
  if (ASCII.test(text)) return new Set();
  const isLatin = /[a-z]/i.test(text);
  return new Set(
    (text.match(WORD) ?? []).filter((word) => !ASCII.test(word) && (isMixed(word) || (isLatin && looksLatin(word)))),
  );
}

function isMixed(word: string): boolean {
  const [latin, ...others] = scriptExpressions().map((script) => script.test(word));
  const eastAsian = others.pop();
  const count = others.filter((isThere) => isThere).length;
  return count > 1 || (count === 1 && (latin === true || eastAsian === true));
}

/** One letter alone is a symbol: `α`, `ο`. */
function looksLatin(word: string): boolean {
  return !/\p{Script=Latin}/u.test(word) && /^[a-z]{2,}$/.test(asLatin(word));
}
