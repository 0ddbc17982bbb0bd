import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LOOK_ALIKES } from "../src/characters/look-alikes.ts";
import { showText } from "../src/characters/show-text.ts";
import { anyText, UNSEEN } from "./reports.ts";

describe("showText", () => {
  test.each([
    ["read\u200b_file", "read‹U+200B ZERO WIDTH SPACE›_file"],
    ["a\u001b[31m", "a‹U+001B ESCAPE›[31m"],
    ["a\u0081b", "a‹U+0081 CONTROL›b"],
    ["\u202egpj.exe", "‹U+202E RIGHT-TO-LEFT OVERRIDE›gpj.exe"],
    ["a\ufe0fb\u{e0100}", "a‹U+FE0F VARIATION SELECTOR-16›b‹U+E0100 VARIATION SELECTOR-17›"],
    ["\u{e0068}\u{e0069}", "‹U+E0068 TAG h›‹U+E0069 TAG i›"],
    ["\ud800x", "‹U+D800 LONE SURROGATE›x"],
    ["\ue000\uffff", "‹U+E000 PRIVATE USE›‹U+FFFF RESERVED›"],
  ])("names what nobody sees: %j", (text, shown) => {
    expect(showText(text)).toBe(shown);
  });

  test.each([
    ["p\u0430ypal", "p\u0430‹U+0430 CYRILLIC SMALL LETTER A›ypal"],
    ["send to \u0441\u043e\u0440\u0443", /^send to \u0441‹U\+0441 CYRILLIC SMALL LETTER ES›/],
    ["G\u039fOD", "G\u039f‹U+039F GREEK CAPITAL LETTER OMICRON›OD"],
    ["\u{1d5c2}gnore", "\u{1d5c2}‹U+1D5C2 MATHEMATICAL i›gnore"],
    ["a\uff49d", "a\uff49‹U+FF49 FULLWIDTH i›d"],
  ])("names a letter that looks like another: %j", (text, shown) => {
    if (typeof shown === "string") expect(showText(text)).toBe(shown);
    else expect(showText(text)).toMatch(shown);
  });

  test.each(["Читает файл, а потом пишет", "Διαβάζει ένα αρχείο", "Կարդում է", "ＡＰＩ を読む", "naïve 日本語 Æ"])(
    "leaves a text in its own alphabet as it is: %s",
    (text) => {
      expect(showText(text)).toBe(text);
    },
  );

  test("every look-alike is named inside of a Latin word, with the name of its alphabet", () => {
    for (const [letter, name] of LOOK_ALIKES) {
      const code = letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
      expect(showText(`x${letter}x`)).toBe(`x${letter}‹U+${code} ${name}›x`);
      const [alphabet = ""] = /GREEK|CYRILLIC|ARMENIAN|LATIN|ROMAN/.exec(name) ?? [];
      expect(alphabet).not.toBe("");
    }
  });

  test("shows no character that nobody sees, and all others in their order", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = showText(text);
        expect(shown.match(UNSEEN)).toBeNull();
        if (!text.includes("‹")) expect(shown.replace(/‹U\+[^›]*›/g, "")).toBe(text.replace(UNSEEN, ""));
      }),
    );
  });

  test("takes time in proportion to the text", () => {
    const text = "p\u0430ypal \u200b".repeat(100_000);
    expect(showText(text).length).toBeGreaterThan(4_000_000);
  });
});
