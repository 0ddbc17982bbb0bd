import { findReferences, type Range } from "./references.ts";

/** What stands in a launch where a secret stood. */
export const REDACTED = "<redacted>";

/** Stands for {@link REDACTED} while a text is read, so that an old mark is one inert character. */
const MARK = "\u0000";
const MARK_CODE = 0;

/** Characters that give a text its structure: a shell or a parser of URLs, JSON or headers may act on each of them. */
const ACTIVE: ReadonlySet<number> = new Set([...";&|<>()$`\\\"'{}\u007f"].map((character) => character.charCodeAt(0)));

/**
 * Whether a character can be part of a secret that is replaced. Space, controls and {@link ACTIVE} characters never are:
 * they stay where they stand, so that no change of the structure of a text is hidden.
 */
function isInert(code: number): boolean {
  return code === MARK_CODE || (code > 0x20 && !ACTIVE.has(code));
}

/** A text and which of its characters are secret. */
export class HiddenText {
  /** The text; each {@link REDACTED} in it is one character. */
  readonly text: string;
  /** Ranges that begin at an index less those that end there: hiding costs the same whatever the length. */
  readonly #balance: Int32Array;
  /** The run of inert characters that was looked at last, for each set of stops. */
  readonly #lastRuns = new Map<string, Range>();

  constructor(text: string) {
    this.text = text.replaceAll(REDACTED, MARK);
    this.#balance = new Int32Array(this.text.length + 1);
  }

  /** The end of the run of inert characters at an index; `stops` are further characters that end it. */
  endOfRun(start: number, stops = "", limit: number = this.text.length): number {
    const last = this.#lastRuns.get(stops);
    if (last && last.start <= start && start <= last.end) return Math.min(last.end, limit);
    let end = start;
    while (end < this.text.length && isInert(this.text.charCodeAt(end)) && !stops.includes(this.text.charAt(end)))
      end++;
    this.#lastRuns.set(stops, { start, end });
    return Math.min(end, limit);
  }

  /** Hides a range as it is; it must be inert. */
  hide(start: number, end: number): void {
    if (start >= end) return;
    this.#balance[start] = (this.#balance[start] ?? 0) + 1;
    this.#balance[end] = (this.#balance[end] ?? 0) - 1;
  }

  /**
   * Hides what is inert in a range, and nothing of its structure: what is active or among `stops` stays, and so do
   * references to variables and the commands of a shell's substitutions. The default of a reference is hidden.
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

  /** Whether a range is inert as a whole. */
  isInert({ start, end }: Range): boolean {
    return this.endOfRun(start, "", end) === end;
  }

  /** The text with {@link REDACTED} in place of each run of hidden characters. */
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
