/** The codes of {@link CanonicalJsonError}. */
export type CanonicalJsonErrorCode =
  /** The value has a bigint, which JSON cannot write. Write it as a string. */
  | "bigint"
  /** The text begins with a byte order mark. Remove U+FEFF. */
  | "bom"
  /** A string of the text has a control character that is not escaped. Escape it, such as `\n` for a line break. */
  | "control-character"
  /** The value contains itself. Remove the reference. */
  | "cycle"
  /** An object of the text has a duplicate member, so readers would disagree. Remove one of them. */
  | "duplicate-key"
  /** The value has a function, which JSON cannot write. Remove it. */
  | "function"
  /** The text has a number that no double holds exactly, and `exactNumbers` is set. Write it as a string. */
  | "inexact-number"
  /** The number is beyond the integers that a double holds exactly. Write it as a string. */
  | "integer-precision"
  /** An argument has a wrong type, such as a text where bytes are expected. Pass the type that the message names. */
  | "invalid-argument"
  /** A string of the text has an escape sequence that JSON does not have. Correct the sequence. */
  | "invalid-escape"
  /** The text has a number that is not written as JSON writes numbers, such as `01`. Correct the number. */
  | "invalid-number"
  /** An option is unknown or has an unknown value. Correct the option that the message names. */
  | "invalid-option"
  /** The bytes are not UTF-8. Save the text as UTF-8. */
  | "invalid-utf8"
  /**
   * A string has half of a surrogate pair, which UTF-8 cannot write. Replace the unpaired surrogate with U+FFFD, or
   * restore the complete character.
   */
  | "lone-surrogate"
  /** The value has `NaN` or an infinity, which JSON cannot write. Use a finite number or `null`. */
  | "non-finite"
  /** The text has a number that is greater than a double can hold. Write it as a string. */
  | "number-overflow"
  /** The value has an object that is not plain data, such as a `Map`. Turn it into a plain object or an array. */
  | "opaque-object"
  /** The value has a symbol, which JSON cannot write. Remove it. */
  | "symbol"
  /** The value or the text nests more levels than the limit. Flatten it, or raise the limit. */
  | "too-deep"
  /** The value or the text has more bytes than the limit. Make it smaller, or raise the limit. */
  | "too-large"
  /** The text continues after its value. Remove the rest, or read the values one by one. */
  | "trailing-data"
  /** The value has `undefined` in a place that JSON cannot leave out. Use `null`, or leave the item out. */
  | "undefined"
  /** The text ends in the middle of a value. Check that it was written and read completely. */
  | "unexpected-end"
  /**
   * The text has a character that JSON does not allow at that place. Correct it at the line and column of the message.
   */
  | "unexpected-token"
  /**
   * The text, which arrives in pieces, has an object that is too large to be held, and its members are not in the order
   * of their names. Put them in order, raise `maxObjectBytes`, or hash the complete text.
   */
  | "unordered-members"
  /** A getter, a proxy or `toJSON` of the value threw. Look at `cause`. */
  | "unreadable";

/** The place of an error in a JSON text. */
export interface TextPosition {
  /** 1-based line. */
  readonly line: number;
  /** 1-based column, in UTF-16 code units. */
  readonly column: number;
  /** 0-based offset into the text, in UTF-16 code units (bytes when the input was bytes that are not UTF-8). */
  readonly offset: number;
}

/**
 * The one error class of this package, for a value that has no canonical text and a text that is not strict JSON.
 *
 * `code` is the reason, `path` the RFC 6901 JSON Pointer of the offending value, `position` its place in the text
 * when a text was parsed.
 *
 * @example
 * ```ts
 * import { CanonicalJsonError, canonicalize } from "@agentprint/canonical-json";
 *
 * try {
 *   canonicalize({ limits: { max: Number.NaN } });
 * } catch (error) {
 *   console.log(error instanceof CanonicalJsonError && error.code); // "non-finite"
 *   console.log(error instanceof CanonicalJsonError && error.path); // "/limits/max"
 * }
 * ```
 */
export class CanonicalJsonError extends TypeError {
  override readonly name = "CanonicalJsonError";
  readonly code: CanonicalJsonErrorCode;
  /** RFC 6901 JSON Pointer; `""` is the root. */
  readonly path: string;
  readonly position: TextPosition | undefined;

  constructor(
    code: CanonicalJsonErrorCode,
    path: string,
    message: string,
    options: { cause?: unknown; position?: TextPosition } = {},
  ) {
    const { position } = options;
    const where = position ? ` at line ${position.line}, column ${position.column}` : "";
    super(`${readable(message)}${where} (at ${path === "" ? "the root" : readable(path)})`, options);
    this.code = code;
    this.path = path;
    this.position = position;
  }

  /** 1-based line in the parsed text, if a text was parsed. */
  get line(): number | undefined {
    return this.position?.line;
  }

  /** 1-based column in UTF-16 code units, if a text was parsed. */
  get column(): number | undefined {
    return this.position?.column;
  }
}

/**
 * Matches every character except letters, marks, numbers, punctuation, symbols and U+0020, and also those of them that
 * are drawn blank. The classes are shorter than the list of `escapeText`; a test checks that they contain all its
 * characters.
 */
const UNSEEN = String.raw`(?! )[\p{C}\p{Z}\p{DI}\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}]`;
/** The part of a text that a message shows. The flag `u` keeps the two halves of a surrogate pair together. */
const START = /^.{0,300}/su;

/**
 * Returns the start of a text, with invisible characters as `\u{202e}`. The classes load the engine's Unicode data, so
 * they are made only on first use.
 */
function readable(text: string): string {
  const [start] = START.exec(text) as unknown as [string];
  const shown = start.replace(
    new RegExp(UNSEEN, "gu"),
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  return start === text ? shown : `${shown}…`;
}
