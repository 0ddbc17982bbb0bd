import { unicodeExpression } from "./unicode-expression.ts";

/**
 * Latin letters, each with the code points of similar letters in other scripts: those in the table `confusables.txt` of
 * UTS #39 that fonts draw alike. Compatibility forms (full-width, mathematical) are left out, because NFKC maps them.
 */
const LOOK_ALIKES =
  "a 430 3b1 251,b 185,c 441 1d04,d 501,e 435 4bd 212e,g 261 581,h 4bb 570,i 456 3b9 131 4cf,j 458 3f3,k 43a 3ba,m 43c,n 578 57c,o 43e 3bf 585,p 440 3c1,q 51b,r 433 1d26,s 455 a731,t 442 3c4,u 3c5 57d 1d1c,v 475 3bd 1d20,w 51d 461 1d21,x 445 3c7,y 443 3b3 10e7,z 1d22";

let latinLetters: ReadonlyMap<string, string> | undefined;

/** Returns a map from the letters that look like Latin ones to these Latin letters. */
function lettersByLookAlike(): ReadonlyMap<string, string> {
  latinLetters ??= new Map(
    LOOK_ALIKES.split(",").flatMap((row) => {
      const [latin = "", ...others] = row.split(" ");
      return others.map((point) => [String.fromCharCode(Number.parseInt(point, 16)), latin] as const);
    }),
  );
  return latinLetters;
}

/**
 * Returns a text in which each letter that looks like a Latin letter is replaced by that letter; compatibility forms
 * and capitals are folded first.
 */
export function asLatin(text: string): string {
  return [...text.normalize("NFKC").toLowerCase()].map((letter) => lettersByLookAlike().get(letter) ?? letter).join("");
}

const UNSEEN = unicodeExpression("[\\p{M}\\p{Cf}\\p{DI}]", "gu");
const SEPARATORS = unicodeExpression("[^\\p{L}\\p{N}]", "gu");

/**
 * Returns the skeleton of a name. Two names that look alike, or differ only in separators and capitals, have the same
 * skeleton.
 */
export function skeletonOf(name: string): string {
  // This happens before letters are recomposed, because the table has no letters with accents.
  return asLatin(name.normalize("NFKD").replace(UNSEEN(), ""))
    .replace(SEPARATORS(), "")
    .replaceAll("0", "o")
    .replace(/[1i|]/g, "l")
    .replaceAll("5", "s")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
}
