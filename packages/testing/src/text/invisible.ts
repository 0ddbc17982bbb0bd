import fc from "fast-check";

/** Matches invisible characters according to the Unicode data of this Node, and letters and symbols without visible shape. */
export const INVISIBLE: RegExp =
  /(?! )(?:[\p{Cc}\p{Cf}\p{Co}\p{Z}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Noncharacter_Code_Point}\u2800\ufffc\u{13441}\u{13442}\u{1d159}]|\u{16fe4})/u;

/** Any character that {@link INVISIBLE} matches. */
export const anyInvisible: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "\u202e",
    "\u200b",
    "\ufe0f",
    "\u{e0100}",
    "\u034f",
    "\u115f",
    "\u3164",
    "\u2800",
    "\u180e",
    "\u001b",
  ),
  fc
    .integer({ min: 0, max: 0x10ffff })
    .map((codePoint) => (codePoint >= 0xd800 && codePoint <= 0xdfff ? "\u2028" : String.fromCodePoint(codePoint)))
    .filter((character) => INVISIBLE.test(character)),
);
