import type { Range } from "./references.ts";

/** A quote in a text, with the backslashes before it. */
interface Quote {
  readonly character: string;
  /** The index of the first backslash. */
  readonly start: number;
  /** The level of quoting around the quote: `"` 0, `\"` 1, `\\\"` 2. */
  readonly level: number;
  /** Index after the quote. */
  readonly end: number;
}

/**
 * The quoted strings in a text, found as a shell, JSON and most languages find them. Strings in one kind of quote may
 * be inside strings in another kind, even if their quotes are escaped for the outer one.
 */
export class QuotedStrings {
  readonly #byOpening = new Map<number, Range>();
  readonly #byEnd = new Map<number, Range>();
  readonly #closings = new Set<number>();
  #doubtfulFrom = Number.POSITIVE_INFINITY;

  constructor(text: string) {
    const open = new Map<string, Quote>();
    for (const quote of quotesOf(text)) {
      const kind = `${quote.level}${quote.character}`;
      // A shell reads a backslash in single quotes literally, but other languages read it as an escape.
      if (quote.character === "'" && quote.level > 0 && open.has("0'")) this.#doubtfulFrom = quote.start;
      const opening = open.get(kind);
      if (!opening) {
        open.set(kind, quote);
        continue;
      }
      for (const inner of [...open.keys()].reverse()) {
        open.delete(inner);
        if (inner === kind) break;
      }
      const content = { start: opening.end, end: quote.start };
      this.#byOpening.set(opening.start, content);
      this.#byEnd.set(quote.end, content);
      this.#closings.add(quote.start);
    }
  }

  /** Returns the content of the string that begins at an index, with a quote or the backslashes before it. */
  openedAt(index: number): Range | undefined {
    return this.#byOpening.get(index);
  }

  /** Returns the content of the string whose closing quote ends at an index. */
  closedBefore(index: number): Range | undefined {
    return this.#byEnd.get(index);
  }

  /** Returns whether the quote at an index, or the one after the backslashes there, closes a string. */
  isClosing(index: number): boolean {
    return this.#closings.has(index);
  }

  /** Returns whether all readers of the text agree on which quotes open before an index. */
  isCertainAt(index: number): boolean {
    return index < this.#doubtfulFrom;
  }
}

/**
 * Returns where the quote at an index ends, including the backslashes before it, or `undefined` if there is no quote.
 */
export function endOfQuote(text: string, index: number): number | undefined {
  let end = index;
  while (text[end] === "\\") end++;
  return text[end] === '"' || text[end] === "'" ? end + 1 : undefined;
}

function* quotesOf(text: string): Generator<Quote> {
  let end = 0;
  for (const { 0: character, index } of text.matchAll(/["']/g)) {
    let start = index;
    while (start > end && text[start - 1] === "\\") start--;
    end = index + 1;
    yield { character, start, level: trailingOnes(index - start), end };
  }
}

/** Returns the level of a quote: each level of quoting turns n backslashes before a quote into 2n + 1. */
function trailingOnes(count: number): number {
  let ones = 0;
  for (let rest = count; rest % 2 === 1; rest = (rest - 1) / 2) ones++;
  return ones;
}
