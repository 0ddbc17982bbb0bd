/** The codes of {@link CanonicalJsonError}. */
export type CanonicalJsonErrorCode =
  | "bigint"
  | "bom"
  | "control-character"
  | "cycle"
  | "duplicate-key"
  | "function"
  | "inexact-number"
  | "integer-precision"
  | "invalid-argument"
  | "invalid-escape"
  | "invalid-number"
  | "invalid-option"
  | "invalid-utf8"
  | "lone-surrogate"
  | "non-finite"
  | "number-overflow"
  | "opaque-object"
  | "symbol"
  | "too-deep"
  | "too-large"
  | "trailing-data"
  | "undefined"
  | "unexpected-end"
  | "unexpected-token"
  | "unreadable";

/** Where in a JSON text an error lies. */
export interface TextPosition {
  /** 1-based line. */
  readonly line: number;
  /** 1-based column, in UTF-16 code units. */
  readonly column: number;
  /** 0-based offset into the text, in UTF-16 code units (bytes when the input was bytes that are not UTF-8). */
  readonly offset: number;
}

/**
 * The one error of this package: a value that has no canonical text, or a text that is not strict JSON.
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
 * Matches every character that is no letter, mark, number, punctuation, symbol or U+0020, and those of these that have no ink.
 * The classes are shorter than the list of `escapeText`; a test checks that they contain all its characters.
 */
const UNSEEN = String.raw`(?! )[\p{C}\p{Z}\p{DI}\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}]`;
/** As much of a text as a message shows. The flag `u` keeps the two halves of a surrogate pair together. */
const START = /^.{0,300}/su;

/** The start of a text, the unseen characters as `\u{202e}`. The classes load Unicode data of the engine, so not before. */
function readable(text: string): string {
  const [start] = START.exec(text) as unknown as [string];
  const shown = start.replace(
    new RegExp(UNSEEN, "gu"),
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  return start === text ? shown : `${shown}…`;
}
