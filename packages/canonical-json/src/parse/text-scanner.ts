import { CanonicalJsonError, type CanonicalJsonErrorCode, type TextPosition } from "../errors.ts";
import type { JsonValue } from "../json-value/json-value.ts";
import { type PathSegment, toPointer } from "../json-value/pointer.ts";
import { sliceWithoutSplittingSurrogates } from "../text/slice-without-splitting-surrogates.ts";
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
const UPPER_A = 0x41;
const UPPER_Z = 0x5a;
const BACKSLASH = 0x5c;
const LOWER_A = 0x61;
const LOWER_Z = 0x7a;
const FIRST_SURROGATE = 0xd800;
const FIRST_LOW_SURROGATE = 0xdc00;
const LAST_SURROGATE = 0xdfff;
/** UTF-16 code units of the input that a message repeats. */
const MAX_RECEIVED_LENGTH = 80;
const LITERALS = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Reads the tokens of a JSON text one after the other (RFC 8259 §2, §6, §7) and reports where a token is wrong. */
export class TextScanner {
  readonly text: string;
  /** Where the next token starts, in UTF-16 code units. */
  offset = 0;
  /** Member names and indexes from the root to the value that is being read. */
  readonly path: PathSegment[];
  readonly #limits: ParseLimits;
  /** Where the text starts in the whole of which it is a part. */
  readonly #start: TextPosition;

  constructor(text: string, limits: ParseLimits, path: PathSegment[] = [], start: TextPosition = TEXT_START) {
    this.text = text;
    this.path = path;
    this.#limits = limits;
    this.#start = start;
  }

  /** Skips white space and returns the code unit that follows it, `NaN` at the end. */
  peek(): number {
    for (;;) {
      const c = this.text.charCodeAt(this.offset);
      if (c !== SPACE && c !== LINE_FEED && c !== CARRIAGE_RETURN && c !== TAB) return c;
      this.offset++;
    }
  }

  /** Reads a string that is a value. */
  string(): string {
    return unescaped(this.#rawString(false));
  }

  /** Reads a member name. A lone surrogate in it is tolerated only with `tolerateInNames`. */
  name(): string {
    return unescaped(this.#rawString(true));
  }

  /** Reads on in a string: up to its end, or to the first whole character from the offset `stop` on. */
  stringPart(stop: number): { value: string; isEnd: boolean } {
    this.offset--;
    const value = unescaped(this.#rawString(false, stop));
    const isEnd = this.text.charCodeAt(this.offset - 1) === QUOTE;
    if (!isEnd) this.offset--;
    return { value, isEnd };
  }

  /** Reads a string and returns the text between its quotes, with its escapes. */
  #rawString(isName: boolean, stop = Number.POSITIVE_INFINITY): string {
    const { text } = this;
    const start = this.offset + 1;
    let i = start;
    for (;;) {
      const c = text.charCodeAt(i);
      if (c === QUOTE || i >= stop) break;
      if (c === BACKSLASH) i += this.#escape(i, isName);
      else if (c >= FIRST_SURROGATE && c <= LAST_SURROGATE) i += this.#surrogatePair(i);
      else if (c >= FIRST_PRINTABLE) i++;
      else if (i >= text.length) this.fail("unexpected-end", "a closing quote", i);
      else this.fail("control-character", "control characters in a string to be escaped", i);
    }
    this.offset = i + 1;
    return text.slice(start, i);
  }

  /** Reads `true`, `false`, `null` or a number. */
  scalar(): JsonValue {
    const start = this.offset;
    let end = start;
    while (isWordUnit(this.text.charCodeAt(end))) end++;
    const word = this.text.slice(start, end);
    const value = LITERALS.has(word) ? (LITERALS.get(word) ?? null) : this.#number(word, start);
    this.offset = end;
    return value;
  }

  #number(word: string, start: number): number {
    if (!/^(?:[-+.\d]|NaN$|Infinity$)/.test(word)) this.unexpected("a value");
    if (!isNumber(word)) this.fail("invalid-number", "a JSON number", start, word);
    const value = Number(word);
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

  /** The length of the escape sequence at an offset: 2, 6, or 12 for a surrogate pair. */
  #escape(at: number, isName: boolean): number {
    const { text } = this;
    if (at + 1 >= text.length) this.fail("unexpected-end", "an escape sequence", at + 1);
    if (text[at + 1] !== "u") {
      if ('"\\/bfnrt'.includes(text.charAt(at + 1))) return 2;
      this.fail(
        "invalid-escape",
        'an escape sequence (\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX)',
        at,
        sliceWithoutSplittingSurrogates(text, at, at + 2),
      );
    }
    const digits = text.slice(at + 2, at + 6);
    if (!/^[\da-f]{4}$/i.test(digits)) {
      if (/^[\da-f]{0,3}$/i.test(digits)) {
        this.fail("unexpected-end", "four hexadecimal digits", text.length);
      }
      this.fail(
        "invalid-escape",
        "four hexadecimal digits after \\u",
        at,
        sliceWithoutSplittingSurrogates(text, at, at + 6),
      );
    }
    if (!/^d[89a-f]/i.test(digits)) return 6;
    if (/^d[89ab]/i.test(digits) && /^\\ud[c-f][\da-f]{2}$/i.test(text.slice(at + 6, at + 12))) return 12;
    const isAsked = !isName || this.#limits.tolerateInNames;
    if (isAsked && this.#isTolerated({ code: "lone-surrogate" })) return 6;
    return this.fail("lone-surrogate", "a surrogate pair", at, text.slice(at, at + 6));
  }

  #surrogatePair(at: number): number {
    const low = this.text.charCodeAt(at + 1);
    const isPair =
      this.text.charCodeAt(at) < FIRST_LOW_SURROGATE && low >= FIRST_LOW_SURROGATE && low <= LAST_SURROGATE;
    if (isPair) return 2;
    return this.fail("lone-surrogate", "a surrogate pair", at);
  }

  /** Reports what is at the offset, or the end of the text, instead of what was expected. */
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

function unescaped(raw: string): string {
  return raw.includes("\\") ? JSON.parse(`"${raw}"`) : raw;
}

function clip(text: string): string {
  return text.length > MAX_RECEIVED_LENGTH
    ? `${sliceWithoutSplittingSurrogates(text, 0, MAX_RECEIVED_LENGTH)}… (${text.length} characters)`
    : text;
}

function isDigit(c: number): boolean {
  return c >= DIGIT_ZERO && c <= DIGIT_NINE;
}

/** Whether a code unit is part of a word: a digit, a letter, `+`, `-` or `.`. */
export function isWordUnit(c: number): boolean {
  const isLetter = (c >= LOWER_A && c <= LOWER_Z) || (c >= UPPER_A && c <= UPPER_Z);
  return isDigit(c) || isLetter || c === PLUS || c === MINUS || c === POINT;
}

/** Whether a word is a number (RFC 8259 §6). A regular expression would keep a backtracking stack for a long run of digits. */
function isNumber(word: string): boolean {
  let i = 0;
  const digits = (): boolean => {
    const start = i;
    while (isDigit(word.charCodeAt(i))) i++;
    return i > start;
  };
  if (word[i] === "-") i++;
  if (word[i] === "0") i++;
  else if (!digits()) return false;
  if (word[i] === ".") {
    i++;
    if (!digits()) return false;
  }
  if (word[i] === "e" || word[i] === "E") {
    i++;
    if (word[i] === "+" || word[i] === "-") i++;
    if (!digits()) return false;
  }
  return i === word.length;
}
