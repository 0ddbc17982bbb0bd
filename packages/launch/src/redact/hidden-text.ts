import { REDACTED } from "../redacted.ts";
import { findReferences, type Range } from "./references.ts";

/**
 * The character that replaces {@link REDACTED} while a text is read, so that an earlier redaction's mark is one inert
 * character.
 */
const MARK = "\u0000";
const MARK_CODE = 0;

/**
 * Characters that give a text its structure: a shell, or a parser for URLs, JSON or headers, may act on each of them.
 */
const ACTIVE: ReadonlySet<number> = new Set([...";&|<>()$`\\\"'{}\u007f"].map((character) => character.charCodeAt(0)));

/**
 * Returns whether a character can be part of a secret that is replaced. Space, control characters and {@link ACTIVE}
 * characters are never replaced, so that no change to a text's structure is hidden.
 */
function isInert(code: number): boolean {
  return code === MARK_CODE || (code > 0x20 && !ACTIVE.has(code));
}

/** A text in which some characters are marked as secret. */
export class HiddenText {
  /** The text, in which each {@link REDACTED} is one character. */
  readonly text: string;
  /**
   * For each index, the number of ranges that begin there minus the number that end there, so that hiding a long range
   * costs no more than hiding a short one.
   */
  readonly #balance: Int32Array;
  /** The last run of inert characters that was searched, for each set of stops. */
  readonly #lastRuns = new Map<string, Range>();

  constructor(text: string) {
    this.text = text.replaceAll(REDACTED, MARK);
    this.#balance = new Int32Array(this.text.length + 1);
  }

  /** Returns the end of the run of inert characters at an index; `stops` are additional characters that end the run. */
  endOfRun(start: number, stops = "", limit: number = this.text.length): number {
    const last = this.#lastRuns.get(stops);
    if (last && last.start <= start && start <= last.end) return Math.min(last.end, limit);
    let end = start;
    while (end < this.text.length && isInert(this.text.charCodeAt(end)) && !stops.includes(this.text.charAt(end)))
      end++;
    this.#lastRuns.set(stops, { start, end });
    return Math.min(end, limit);
  }

  /** Hides a range, all of whose characters must be inert. */
  hide(start: number, end: number): void {
    if (start >= end) return;
    this.#balance[start] = (this.#balance[start] ?? 0) + 1;
    this.#balance[end] = (this.#balance[end] ?? 0) - 1;
  }

  /**
   * Hides the inert characters in a range. Active characters and `stops` are kept, and so are references to variables
   * and the commands in a shell's substitutions. A reference's default value is hidden.
   */
  hideInert(start: number, end: number, stops = ""): void {
    let index = start;
    for (const kept of findReferences(this.text, start, end)) {
      this.#hideRuns(index, kept.start, stops);
      index = kept.end;
    }
    this.#hideRuns(index, end, stops);
  }

  #hideRuns(start: number, end: number, stops: string): void {
    for (let index = start; index < end; index++) {
      const runEnd = this.endOfRun(index, stops, end);
      this.hide(index, runEnd);
      index = runEnd;
    }
  }

  /** Returns whether all characters in a range are inert. */
  isInert({ start, end }: Range): boolean {
    return this.endOfRun(start, "", end) === end;
  }

  /** Returns the text with {@link REDACTED} instead of each run of hidden characters. */
  toString(): string {
    let written = "";
    let shown = 0;
    let depth = 0;
    for (let index = 0; index <= this.text.length; index++) {
      depth += this.#balance[index] ?? 0;
      if (depth > 0 || this.text.charCodeAt(index) === MARK_CODE) {
        if (shown >= 0) written += this.text.slice(shown, index) + REDACTED;
        shown = -1;
      } else if (shown < 0) shown = index;
    }
    return written + this.text.slice(shown);
  }
}
