/** The codes of {@link CanonicalJsonError}. */
export type CanonicalJsonErrorCode =
  /** The value contains a bigint, which JSON cannot represent. Write it as a string. */
  | "bigint"
  /** The text begins with a byte order mark. Remove U+FEFF. */
  | "bom"
  /** A string in the text contains an unescaped control character. Escape it, such as `\n` for a line break. */
  | "control-character"
  /** The value contains itself. Remove the reference. */
  | "cycle"
  /** An object in the text has a duplicate member, so readers would disagree. Remove one of them. */
  | "duplicate-key"
  /** The value contains a function, which JSON cannot represent. Remove it. */
  | "function"
  /** The text contains a number that no double holds exactly, and `exactNumbers` is set. Write it as a string. */
  | "inexact-number"
  /** The number is beyond the integers that a double holds exactly. Write it as a string. */
  | "integer-precision"
  /** An argument has a wrong type, such as a string where bytes are expected. Pass the type that the message names. */
  | "invalid-argument"
  /** A string in the text contains an escape sequence that JSON does not define. Correct the sequence. */
  | "invalid-escape"
  /** The text contains a number that is not in JSON's notation, such as `01`. Correct the number. */
  | "invalid-number"
  /** An option is unknown or has an unknown value. Correct the option that the message names. */
  | "invalid-option"
  /** The bytes are not UTF-8. Save the text as UTF-8. */
  | "invalid-utf8"
  /**
   * A string contains half of a surrogate pair, which UTF-8 cannot encode. Replace the unpaired surrogate with U+FFFD,
   * or restore the complete character.
   */
  | "lone-surrogate"
  /** The value contains `NaN` or an infinity, which JSON cannot represent. Use a finite number or `null`. */
  | "non-finite"
  /** The text contains a number that is beyond the range of a double. Write it as a string. */
  | "number-overflow"
  /** The value contains an object that is not plain data, such as a `Map`. Turn it into a plain object or an array. */
  | "opaque-object"
  /** The value contains a symbol, which JSON cannot represent. Remove it. */
  | "symbol"
  /** The value or the text nests deeper than the limit. Flatten it, or raise the limit. */
  | "too-deep"
  /** The value or the text has more bytes than the limit. Make it smaller, or raise the limit. */
  | "too-large"
  /** The text continues after its value. Remove the rest, or read the values one by one. */
  | "trailing-data"
  /** The value contains `undefined` in a place that JSON cannot omit. Use `null`, or remove the item. */
  | "undefined"
  /** The text ends in the middle of a value. Check that it was written and read completely. */
  | "unexpected-end"
  /**
   * The text contains a character that JSON does not allow at that place. Correct it at the line and column in the
   * message.
   */
  | "unexpected-token"
  /**
   * The text, which arrives in pieces, contains an object that is too large to hold in memory and whose members are not
   * in the order of their names. Put them in order, raise `maxObjectBytes`, or hash the complete text.
   */
  | "unordered-members"
  /** A getter, a proxy or a `toJSON` method in the value threw. Look at `cause`. */
  | "unreadable";

/** The place of an error in JSON text. */
export interface TextPosition {
  /** 1-based line. */
  readonly line: number;
  /** Column, counted from 1 in UTF-16 code units. */
  readonly column: number;
  /** Offset into the text, from 0, in UTF-16 code units, or in bytes if the input was bytes that are not UTF-8. */
  readonly offset: number;
}

/**
 * The only error class of this package, for values that have no canonical text and for text that is not strict JSON.
 *
 * `code` is the reason, `path` the RFC 6901 JSON Pointer of the offending value, and `position` its place in the parsed
 * text, if any.
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
  /** The message without the path. */
  readonly reason: string;
  readonly position: TextPosition | undefined;

  constructor(
    code: CanonicalJsonErrorCode,
    path: string,
    message: string,
    options: { cause?: unknown; position?: TextPosition } = {},
  ) {
    const { position } = options;
    const where = position ? ` at line ${position.line}, column ${position.column}` : "";
    const reason = `${readable(message)}${where}`;
    super(`${reason} (at ${path === "" ? "the root" : readable(path)})`, options);
    this.code = code;
    this.path = path;
    this.reason = reason;
    this.position = position;
  }

  /** Line in the parsed text, counted from 1, if text was parsed. */
  get line(): number | undefined {
    return this.position?.line;
  }

  /** Column in UTF-16 code units, counted from 1, if text was parsed. */
  get column(): number | undefined {
    return this.position?.column;
  }
}

/**
 * Matches every character except letters, marks, numbers, punctuation, symbols and U+0020, and also matches the members
 * of these classes that are drawn blank. The pattern is shorter than the list in `escapeText`; a test checks that it
 * matches all characters in that list.
 */
const UNSEEN = String.raw`(?! )[\p{C}\p{Z}\p{DI}\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}]`;
/** Matches the part of a text that a message shows. The flag `u` keeps the two halves of a surrogate pair together. */
const START = /^.{0,300}/su;

/**
 * Returns the start of a text, with invisible characters in the form `\u{202e}`. The pattern's classes load the
 * engine's Unicode data, so it is compiled only on first use.
 */
function readable(text: string): string {
  const [start] = START.exec(text) as unknown as [string];
  const shown = start.replace(
    new RegExp(UNSEEN, "gu"),
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  return start === text ? shown : `${shown}…`;
}
