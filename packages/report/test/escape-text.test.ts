import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeText } from "../src/index.ts";
import { anyText, UNSEEN } from "./reports.ts";

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
    ["Hangul filler", "\u3164", "\\u{3164}"],
    ["Braille blank", "\u2800", "\\u{2800}"],
    ["combining grapheme joiner", "\u034f", "\\u{34f}"],
    ["variation selector", "\ufe0f\u{e0100}", "\\u{fe0f}\\u{e0100}"],
    ["tag character", "\u{e0041}", "\\u{e0041}"],
    ["private use", "\ue000", "\\u{e000}"],
    ["noncharacter", "\uffff\u{1fffe}", "\\u{ffff}\\u{1fffe}"],
    ["lone surrogates", "\ud800 \udc00", "\\u{d800} \\u{dc00}"],
    ["what is seen stays", "é 日本 💥 \\ ~", "é 日本 💥 \\ ~"],
  ])("%s", (_name, text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
  });

  test("leaves nothing to escape, and keeps all that is seen", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const escaped = escapeText(text);
        expect(escaped.match(UNSEEN)).toBeNull();
        expect(escapeText(escaped)).toBe(escaped);
      }),
    );
  });
});
