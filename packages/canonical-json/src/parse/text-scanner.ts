import { CanonicalJsonError, type CanonicalJsonErrorCode, type TextPosition } from "../errors.ts";
import type { JsonValue } from "../json-value/json-value.ts";
import { type PathSegment, toPointer } from "../json-value/pointer.ts";
import { sliceWithoutSplittingSurrogates, splitsSurrogates } from "../text/slice-without-splitting-surrogates.ts";
import { isExactNumber } from "./exact-number.ts";
import type { ParseLimits, Tolerable } from "./limits.ts";
import { TEXT_START, textPosition } from "./text-position.ts";

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const FIRST_PRINTABLE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;
const BACKSLASH = 0x5c;
const LOWER_A = 0x61;
const LOWER_Z = 0x7a;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;
/** The largest number of UTF-16 code units that a message repeats from the input. */
const MAX_RECEIVED_LENGTH = 80;
/** Reads the tokens in a JSON text one after the other (RFC 8259 §2, §6, §7) and reports where a token is wrong. */
export class TextScanner {
  readonly text: string;
  /** Where the next token starts, in UTF-16 code units. */
  offset = 0;
  /** Member names and indexes from the root to the value that is being read. */
  readonly path: PathSegment[];
  readonly #limits: ParseLimits;
  /** The position of this text in the text of which it is part. */
  readonly #start: TextPosition;

  constructor(text: string, limits: ParseLimits, path: PathSegment[] = [], start: TextPosition = TEXT_START) {
    this.text = text;
    this.path = path;
    this.#limits = limits;
    this.#start = start;
  }

  /** Skips white space and returns the code unit that follows it, or `NaN` at the end. */
  peek(): number {
    for (;;) {
      const c = this.text.charCodeAt(this.offset);
      if (c !== SPACE && c !== LINE_FEED && c !== CARRIAGE_RETURN && c !== TAB) return c;
      this.offset++;
    }
  }

  /** Reads a string value. */
  string(): string {
    return unescaped(this.rawString(false));
  }

  /** Reads a member name. A lone surrogate in the name is tolerated only with `tolerateInNames`. */
  name(): string {
    return unescaped(this.rawString(true));
  }

  /** Reads a string, or its start up to an offset, and returns the text between its quotes, with its escapes. */
  rawString(isName: boolean, stop: number = Number.POSITIVE_INFINITY): string {
    const { text } = this;
    const start = this.offset + 1;
    let i = start;
    for (;;) {
      const c = text.charCodeAt(i);
      if (c === QUOTE || i >= stop) break;
      if (c === BACKSLASH) i += this.#escape(i, isName);
      else if (c >= FIRST_SURROGATE && c <= LAST_SURROGATE) {
        if (!splitsSurrogates(text, i + 1)) this.fail("lone-surrogate", "a surrogate pair", i);
        i += 2;
      } else if (c >= FIRST_PRINTABLE) i++;
      else if (i >= text.length) this.fail("unexpected-end", "a closing quote", i);
      else this.fail("control-character", "control characters in a string to be escaped", i);
    }
    this.offset = i + 1;
    return text.slice(start, i);
  }

  /** Reads a number, `true`, `false` or `null`. */
  scalar(): JsonValue {
    const start = this.offset;
    let end = start;
    while (isWordUnit(this.text.charCodeAt(end))) end++;
    const value = this.#valueOf(this.text.slice(start, end), start);
    this.offset = end;
    return value;
  }

  /**
   * Reads a word with the engine's parser, because a regular expression for numbers would keep a backtracking stack for
   * a long run of digits.
   */
  #valueOf(word: string, start: number): boolean | number | null {
    let value: boolean | number | null;
    try {
      value = JSON.parse(word);
    } catch {
      if (!/^(?:[-+.\d]|NaN$|Infinity$)/.test(word)) this.unexpected("a value");
      return this.fail("invalid-number", "a JSON number", start, word);
    }
    if (typeof value !== "number") return value;
    const size = Math.abs(value);
    if (size === Number.POSITIVE_INFINITY) {
      this.fail("number-overflow", `a number within ±${Number.MAX_VALUE}`, start, word);
    }
    const { maxNumber, exactNumbers } = this.#limits;
    if (size > maxNumber) {
      this.fail("integer-precision", `a number within ±${maxNumber} (write it as a string)`, start, word);
    }
    if (exactNumbers && !isExactNumber(word, value) && !this.#isTolerated({ code: "inexact-number", text: word })) {
      this.fail("inexact-number", "a number that a double holds (write it as a string)", start, word);
    }
    return value;
  }

  #isTolerated(found: Omit<Tolerable, "path">): boolean {
    return this.#limits.tolerate({ ...found, path: toPointer(this.path) });
  }

  /** Returns the length of the escape sequence at an offset: 2, 6, or 12 for a surrogate pair. */
  #escape(at: number, isName: boolean): number {
    const { text } = this;
    const sequence = text.slice(at, at + 6);
    if (/^\\["\\/bfnrt]/.test(sequence)) return 2;
    if (sequence.length === 1) this.fail("unexpected-end", "an escape sequence", at + 1);
    if (!sequence.startsWith("u", 1)) {
      const expected = 'an escape sequence (\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX)';
      this.fail("invalid-escape", expected, at, sliceWithoutSplittingSurrogates(text, at, at + 2));
    }
    if (/^\\u[\da-f]{0,3}$/i.test(sequence)) this.fail("unexpected-end", "four hexadecimal digits", text.length);
    if (!/^\\u[\da-f]{4}/i.test(sequence)) {
      const received = sliceWithoutSplittingSurrogates(text, at, at + 6);
      this.fail("invalid-escape", "four hexadecimal digits after \\u", at, received);
    }
    if (!/^..d[89a-f]/i.test(sequence)) return 6;
    if (/^..d[89ab]..\\ud[c-f][\da-f]{2}/i.test(text.slice(at, at + 12))) return 12;
    const isAsked = !isName || this.#limits.tolerateInNames;
    if (isAsked && this.#isTolerated({ code: "lone-surrogate" })) return 6;
    return this.fail("lone-surrogate", "a surrogate pair", at, sequence);
  }

  /** Reports that the text at the offset, or its end, is not what was expected. */
  unexpected(expected: string): never {
    const end = this.offset >= this.text.length;
    return this.fail(end ? "unexpected-end" : "unexpected-token", expected, this.offset);
  }

  fail(code: CanonicalJsonErrorCode, expected: string, at: number, received?: string): never {
    throw new CanonicalJsonError(
      code,
      toPointer(this.path),
      `Expected ${expected}, received ${clip(received ?? this.#describe(at))}`,
      { position: textPosition(this.text, at, this.#start) },
    );
  }

  #describe(at: number): string {
    const character = this.text.codePointAt(at);
    return character === undefined ? "the end of the text" : JSON.stringify(String.fromCodePoint(character));
  }
}

/** Returns the value of a string, given the text that {@link TextScanner.rawString} returns. */
export function unescaped(raw: string): string {
  return raw.includes("\\") ? JSON.parse(`"${raw}"`) : raw;
}

function clip(text: string): string {
  return text.length > MAX_RECEIVED_LENGTH
    ? `${sliceWithoutSplittingSurrogates(text, 0, MAX_RECEIVED_LENGTH)}… (${text.length} characters)`
    : text;
}

/** Returns whether a code unit is part of a word: a digit, a letter, `+`, `-` or `.`. */
export function isWordUnit(c: number): boolean {
  const small = c | 0x20;
  const isDigit = c >= DIGIT_ZERO && c <= DIGIT_NINE;
  return isDigit || (small >= LOWER_A && small <= LOWER_Z) || c === PLUS || c === MINUS || c === POINT;
}
