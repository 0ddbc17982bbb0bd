import { escapeJsonText, escapeText, printable } from "@agentprint/canonical-json";
import { invisibleCharacters } from "@agentprint/canonical-json/text";
import { anyCharacter } from "@agentprint/testing/text/any-character";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

/**
 * Characters with these properties in this Node's Unicode data, and characters that are drawn blank although Unicode
 * calls them letters or symbols.
 */
const BY_PROPERTY =
  /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Variation_Selector}\p{Noncharacter_Code_Point}]/u;
const BLANKS = [0x2800, 0xfffc, 0x13441, 0x13442, 0x16fe4, 0x1d159];

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 }).map((units) => String.fromCharCode(...units)),
);

test("every code point with one of the properties is escaped, and no other", () => {
  const wrong: string[] = [];
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
    const character = String.fromCodePoint(codePoint);
    const escaped = escapeText(character);
    const isInvisible = BY_PROPERTY.test(character) || BLANKS.includes(codePoint);
    if (escaped !== (isInvisible ? `\\u{${codePoint.toString(16)}}` : character)) wrong.push(codePoint.toString(16));
  }
  expect(wrong).toEqual([]);
});

describe("escapeText", () => {
  test.each([
    ["C0 control", "\u001b[31m", "\\u{1b}[31m"],
    ["line break", "a\r\nb", "a\\u{d}\\u{a}b"],
    ["C1 control", "\u009b2J", "\\u{9b}2J"],
    ["delete", "\u007f", "\\u{7f}"],
    ["bidirectional override", "a\u202eb", "a\\u{202e}b"],
    ["bidirectional isolate", "\u2066", "\\u{2066}"],
    ["line separator", "\u2028", "\\u{2028}"],
    ["zero-width space", "\u200b", "\\u{200b}"],
    ["zero-width joiner", "\u200d", "\\u{200d}"],
    ["byte order mark", "\ufeff", "\\u{feff}"],
    ["soft hyphen", "\u00ad", "\\u{ad}"],
    ["no-break space", "\u00a0", "\\u{a0}"],
    ["Hangul fillers", "\u115f\u1160\u3164\uffa0", "\\u{115f}\\u{1160}\\u{3164}\\u{ffa0}"],
    ["Mongolian vowel separator", "\u180e", "\\u{180e}"],
    ["Khmer inherent vowels", "\u17b4\u17b5", "\\u{17b4}\\u{17b5}"],
    ["Braille blank", "\u2800", "\\u{2800}"],
    ["hieroglyphic blanks", "\u{13441}\u{13442}", "\\u{13441}\\u{13442}"],
    ["null notehead", "\u{1d159}", "\\u{1d159}"],
    ["object replacement character", "\ufffc", "\\u{fffc}"],
    ["combining grapheme joiner", "\u034f", "\\u{34f}"],
    ["variation selectors", "\ufe0f\u{e0100}\u{e01ef}", "\\u{fe0f}\\u{e0100}\\u{e01ef}"],
    ["tag character", "\u{e0041}", "\\u{e0041}"],
    ["code point reserved for what is ignored", "\u2065\u{e0fff}", "\\u{2065}\\u{e0fff}"],
    ["private use", "\ue000", "\\u{e000}"],
    ["noncharacter", "\uffff\u{1fffe}", "\\u{ffff}\\u{1fffe}"],
    ["lone surrogates", "\ud800 \udc00", "\\u{d800} \\u{dc00}"],
    ["what is seen stays", "é 日本 💥 ខ្មែរ e\u0301 \\ ~ \ufffd", "é 日本 💥 ខ្មែរ e\u0301 \\ ~ \ufffd"],
  ])("%s", (_name, text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
  });

  test("leaves nothing to escape", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const escaped = escapeText(text);
        expect(escaped).not.toMatch(BY_PROPERTY);
        expect(escapeText(escaped)).toBe(escaped);
      }),
    );
  });
});

describe("escapeJsonText", () => {
  test("writes UTF-16 code units and keeps the line feeds between values", () => {
    expect(escapeJsonText('{\n  "\u202e": "\u{e0100}"\n}')).toBe('{\n  "\\u202e": "\\udb40\\udd00"\n}');
  });

  test("the text is read back as the same value, and nothing in it is invisible", () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, anyText), (value) => {
        const json = escapeJsonText(JSON.stringify(value, null, 2));
        expect(JSON.parse(json)).toEqual(value);
        expect(json.replaceAll("\n", "")).not.toMatch(BY_PROPERTY);
      }),
    );
  });
});

test("printable escapes the same characters, and never tears a pair", () => {
  expect(printable("\u3164\u{e0100}\ufe0f")).toBe("\\u{3164}\\u{e0100}\\u{fe0f}");
  expect(printable("a💥b", 2)).toBe("a💥…");
  expect(printable("ab", 2)).toBe("ab");
});

test("the invisible characters of a text are those that are escaped, each at its index", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const found = [...invisibleCharacters(text)];
      for (const { character, index } of found) expect(text.startsWith(character, index)).toBe(true);
      const seen = found.reduceRight(
        (rest, { character, index }) => rest.slice(0, index) + rest.slice(index + character.length),
        text,
      );
      expect(seen).toBe(
        escapeText(text).replace(/\\u\{[0-9a-f]+\}/g, (escaped) => (text.includes(escaped) ? escaped : "")),
      );
    }),
  );
});
