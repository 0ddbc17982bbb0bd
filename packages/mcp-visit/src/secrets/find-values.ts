import { MAX_ESCAPE_LEVELS } from "../limits.ts";
import { decodeEscapes } from "./decode-escapes.ts";
import { hiddenValues, type KnownValue } from "./known-value.ts";
import { StringSearch } from "./string-search.ts";

/** A value that was found in a text, in any encoding. Indexes count UTF-16 units; `end` is after the last one. */
export interface FoundValue {
  readonly start: number;
  readonly end: number;
  readonly value: KnownValue;
}

interface Pattern {
  readonly text: string;
  readonly value: KnownValue;
  /** The number of characters before and after the pattern that also encode a part of the value. */
  readonly before: number;
  readonly behind: number;
  /**
   * Whether letters or digits next to the pattern rule it out, because many words contain a value of three characters.
   */
  readonly wholeWord: boolean;
}

/** The minimum length of a value that is also searched for in encodings; a shorter one is searched for only in plain text. */
const MIN_ENCODED_LENGTH = 4;
/** The minimum number of Base64 characters that are searched for, because fewer occur in many texts by chance. */
const MIN_BASE64_LENGTH = 5;
const WORD = /[A-Za-z0-9]/;

/** Finds known values in texts, including escaped, percent-encoded, Base64 and hexadecimal forms. */
export class ValueFinder {
  readonly #patterns: readonly Pattern[];
  readonly #search: StringSearch;
  /** The values to search for. */
  readonly values: readonly KnownValue[];

  constructor(known: readonly KnownValue[]) {
    this.values = hiddenValues(known);
    this.#patterns = this.values.flatMap(patternsOf);
    this.#search = new StringSearch(this.#patterns.map(({ text }) => text));
  }

  /** Returns the places of values in a text; the places can overlap. */
  find(text: string): FoundValue[] {
    if (this.values.length === 0) return [];
    const found: FoundValue[] = [];
    let level = text;
    let starts: (index: number) => number = (index) => index;
    let ends: (index: number) => number = (index) => index + 1;
    for (let depth = 0; depth <= MAX_ESCAPE_LEVELS; depth++) {
      for (const { start, end, pattern } of this.#search.find(level)) {
        const { value, before, behind, wholeWord } = this.#patterns[pattern] as Pattern;
        if (wholeWord && (WORD.test(level[start - 1] ?? "") || WORD.test(level[end] ?? ""))) continue;
        const last = Math.min(level.length, end + behind) - 1;
        found.push({ start: starts(Math.max(0, start - before)), end: ends(last), value });
      }
      const decoded = decodeEscapes(level);
      if (!decoded) break;
      const [outerStart, outerEnd] = [starts, ends];
      starts = (index) => outerStart(decoded.starts[index] ?? 0);
      ends = (index) => outerEnd((decoded.ends[index] ?? 0) - 1);
      level = decoded.text;
    }
    return found;
  }
}

function patternsOf(value: KnownValue): Pattern[] {
  const whole = { value, before: 0, behind: 0 };
  const texts = unescapedForms(value.value);
  if (value.value.length < MIN_ENCODED_LENGTH) return texts.map((text) => ({ ...whole, text, wholeWord: true }));
  const forms = new Set([...texts, ...texts.map((text) => text.replaceAll(" ", "+"))]);
  const encoded = new Set([
    value.value,
    JSON.stringify(value.value).slice(1, -1),
    encodeURIComponent(value.value.toWellFormed()),
  ]);
  return [
    ...[...forms].map((text) => ({ ...whole, text, wholeWord: false })),
    ...[...encoded].flatMap((text) => base64Patterns(value, text)),
    ...hexPatterns(value),
  ];
}

/** Returns a value, and its forms after each round of decoding the text around it. */
function unescapedForms(value: string): string[] {
  const forms = [value];
  for (let depth = 0; depth < MAX_ESCAPE_LEVELS; depth++) {
    const form = decodeEscapes(forms.at(-1) ?? "");
    if (!form || form.text.trim() === "") break;
    forms.push(form.text);
  }
  return forms;
}

/** Returns the Base64 characters that depend only on the value, for each of the three offsets at which it can begin. */
function base64Patterns(value: KnownValue, text: string): Pattern[] {
  const bytes = Buffer.from(text);
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replaceAll("=", "");
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + bytes.length) * 8) / 6);
    const decided = encoded.slice(first, last);
    if (decided.length < MIN_BASE64_LENGTH) return [];
    const before = offset === 0 ? 0 : 1;
    const behind = encoded.length - last;
    const urlSafe = decided.replaceAll("+", "-").replaceAll("/", "_");
    return [...new Set([decided, urlSafe])].map((form) => ({ text: form, value, before, behind, wholeWord: false }));
  });
}

function hexPatterns(value: KnownValue): Pattern[] {
  const hex = Buffer.from(value.value).toString("hex");
  const forms = new Set([hex, hex.toUpperCase()]);
  return [...forms].map((text) => ({ text, value, before: 0, behind: 0, wholeWord: false }));
}
