import type { Language } from "./languages.ts";

/** White space between two words, which differs between two texts. */
interface Gap {
  /** The white space in each text, with line breaks as line feeds. */
  readonly before: string;
  readonly after: string;
  /** The line before the gap, in a text that has a line break in the gap; empty if neither text has one. */
  readonly line: string;
  /** The line number in the old text, counted from 1. */
  readonly number: number;
  /** Whether the gap is between quotes that span several lines. */
  readonly isQuoted: boolean;
}

/** The mark of a comment that ends with its line: neither the `//` in a URL, nor a mark inside a word. */
const COMMENT = /(?:^|[^:])\/\/|(?:^|[\s;{}()])(?:#|--|;;)|^\s*[%;]/;

/** After these words, JavaScript ends a statement at a line break. */
const ENDS_STATEMENT = /(?:^|[^\w$.])(?:return|throw|break|continue|yield)$/;

type Reason = (gap: Gap, language: Language | undefined) => string | false | undefined;

const REASONS: readonly Reason[] = [
  ({ isQuoted }) => isQuoted && "white space has a meaning inside quotes that span several lines",
  ({ before, after, line }) =>
    line.endsWith("\\") && firstLine(before) !== firstLine(after) && "the line break after a backslash has a meaning",
  ({ before, after }, language) =>
    language?.name === "Markdown" &&
    isHardBreak(before) !== isHardBreak(after) &&
    "two spaces at the end of a line have a meaning in Markdown",
  (gap, language) => isJoined(gap) && language?.hasLines && `a line break has a meaning in ${language.name}`,
  (gap) => isJoined(gap) && COMMENT.test(gap.line) && "the line break at the end of a comment has a meaning",
  (gap) => isJoined(gap) && ENDS_STATEMENT.test(gap.line) && "the line break after a keyword has a meaning",
];

/**
 * Returns the reasons why two texts with the same words in the same order may differ in meaning, each once, with the
 * line of its first place.
 */
export function findMeaningfulBreaks(before: string, after: string, language: Language | undefined): readonly string[] {
  const found = new Map<string, { readonly line: number; places: number }>();
  for (const gap of differingGaps(before, after)) {
    const reason = REASONS.map((test) => test(gap, language)).find((text) => typeof text === "string");
    if (typeof reason !== "string") continue;
    const known = found.get(reason);
    if (known) known.places++;
    else found.set(reason, { line: gap.number, places: 1 });
  }
  return [...found].map(([reason, { line, places }]) => {
    return `${reason}: line ${line}${places === 1 ? "" : ` and ${places - 1} more`}`;
  });
}

/** Yields the gaps between words that differ between the texts. The gaps at the ends of the texts have no meaning. */
function* differingGaps(before: string, after: string): Iterable<Gap> {
  const texts = [new Words(before), new Words(after)] as const;
  let quote: string | undefined;
  for (;;) {
    const gaps = texts.map((text) => text.next());
    const [a, b] = gaps;
    if (a === undefined || b === undefined) return;
    const number = texts[0].lineNumber;
    if (a !== b) {
      const line = a.includes("\n") ? texts[0].line : b.includes("\n") ? texts[1].line : "";
      yield { before: a, after: b, line, number, isQuoted: quote !== undefined };
    }
    for (const text of texts) text.enter();
    quote = quoteAfter(texts[0].word, quote);
  }
}

const WORD = /[^\p{White_Space}]+/gu;
const BREAKS = /\r\n?|[\u2028\u2029]/g;

/** Reads the words of a text, one after the other. */
class Words {
  word = "";
  lineNumber = 1;
  readonly #text: string;
  readonly #words: Iterator<RegExpMatchArray>;
  #gap = "";
  #start = 0;
  #end = 0;
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text.startsWith("\ufeff") ? text.slice(1) : text;
    this.#words = this.#text.matchAll(WORD);
  }

  /** The line before the current gap. */
  get line(): string {
    return this.#text.slice(this.#lineStart, this.#end);
  }

  /** Returns the white space before the next word, or `undefined` if there is none. */
  next(): string | undefined {
    const { value, done } = this.#words.next();
    if (done) return undefined;
    this.word = value[0];
    this.#start = value.index as number;
    this.#gap = this.#text.slice(this.#end, this.#start).replace(BREAKS, "\n");
    return this.#gap;
  }

  /** Moves to the end of the word. */
  enter(): void {
    if (this.#gap.includes("\n")) {
      this.#lineStart = this.#start;
      this.lineNumber += this.#gap.split("\n").length - 1;
    }
    this.#end = this.#start + this.word.length;
  }
}

/** Quotes that span several lines: in Python, Kotlin, Swift and TOML, and JavaScript's template literals. */
const QUOTES = /"""|'''|`+/g;

/** Returns the quote that is still open after a word. */
function quoteAfter(word: string, open: string | undefined): string | undefined {
  let quote = open;
  for (const [mark] of word.matchAll(QUOTES)) {
    if (quote === undefined) quote = mark;
    else if (quote === mark) quote = undefined;
  }
  return quote;
}

function isJoined({ before, after }: Gap): boolean {
  return before.includes("\n") !== after.includes("\n");
}

function firstLine(gap: string): string {
  return gap.split("\n", 1)[0] as string;
}

function isHardBreak(gap: string): boolean {
  return /^[^\n]* {2}\n[^\n]*$/.test(gap);
}
