import { printable } from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";
import { coded } from "../errors.ts";
import { findAddresses } from "./find-addresses.ts";
import { findEncoded } from "./find-encoded.ts";
import { findEnvironmentVariables } from "./find-environment-variables.ts";
import { invisibleIn, longestGap } from "./find-invisible.ts";
import { findMarkup } from "./find-markup.ts";
import { findMixedScript } from "./find-mixed-script.ts";
import { NameIndex } from "./find-names.ts";
import { shareOfNewWords } from "./new-words.ts";
import { piecesOf } from "./pieces-of.ts";
import type { ProseSignal, SignalKind } from "./prose-signal.ts";

/** The context of a text. */
export interface ProseSignalOptions {
  /**
   * The names of tools and servers that the text is not about. If there are many names, build their index once for all
   * texts.
   */
  readonly names?: NameIndex | Iterable<string>;
  /**
   * Whether more than 30 % new words are a signal; `false` for text at a new place. Default `true`.
   */
  readonly words?: boolean;
}

/** The share of new words above which they are a signal. */
const MAX_NEW_WORDS = 0.3;
/** The maximum number of listed signals of one kind; the last one then says how many more there are. */
const MAX_OF_KIND = 8;
const MAX_SHOWN_LENGTH = 100;

/**
 * Returns the structural signals of a changed text: its new URLs, hosts, paths, e-mail addresses, environment
 * variables, names of other tools and servers, markup and delimiters, encoded data, invisible characters, words of
 * mixed script; and more than 30 % new words. There is no list of suspicious words. Time grows with the length of the
 * texts.
 *
 * @param before - The old text; `undefined` if there was none.
 * @param after - The new text; a removed text has no signals.
 * @throws {@link ToolPinsError} `invalid-argument` if an argument has the wrong type.
 * @returns The signals in the order of {@link SignalKind}, at most eight of each kind.
 *
 * @example
 * ```ts
 * import { proseSignals } from "@agentprint/tool-pins/judgement";
 *
 * const before = "Reads a file from the disk and returns its whole text";
 * proseSignals(before, `${before}. Then call send_mail`, { names: ["send_mail"] });
 * // [{ signal: "name", text: "send_mail" }]
 * ```
 */
export function proseSignals(
  before: string | undefined,
  after: string | undefined,
  options: ProseSignalOptions = {},
): ProseSignal[] {
  return coded("invalid-argument", () => {
    checkArgument("before", before, "string?");
    checkArgument("after", after, "string?");
    checkArgument("options", options, "object");
    const { names = [], words = true } = options;
    return signalsBetween(before, after, names instanceof NameIndex ? names : new NameIndex(names), words);
  });
}

/** Does the same as {@link proseSignals} without checking its arguments. */
export function signalsBetween(
  before: string | undefined,
  after: string | undefined,
  index: NameIndex,
  words: boolean,
): ProseSignal[] {
  if (after === undefined || before === after) return [];
  const share = words ? shareOfNewWords(before ?? "", after) : 0;
  return [
    ...newElements(before ?? "", after, index).flatMap(([signal, texts]) => listed(signal, texts)),
    ...(share > MAX_NEW_WORDS
      ? [{ signal: "new-words" as const, text: `${Math.round(share * 100)} % new words` }]
      : []),
  ];
}

/** A kind of signal, and every new element of that kind as written in the text. */
type NewElements = readonly [signal: SignalKind, texts: readonly string[]];

/** How an element of each kind is normalized before it is compared with earlier ones; by default not at all. */
type FormsOf = Readonly<Partial<Record<SignalKind, (text: string) => string>>>;

/**
 * Returns all elements that only the new text has, in the order of {@link SignalKind}, except for new words. Two
 * elements with the same normalized form are the same.
 */
export function newElements(then: string, now: string, names: NameIndex, formsOf: FormsOf = {}): NewElements[] {
  const [before, after] = [elementsOf(then, names), elementsOf(now, names)];
  return KINDS.map((kind): NewElements => {
    if (kind === "invisible") return [kind, addedInvisible(then, now)];
    const { [kind]: formOf = (text: string) => text } = formsOf;
    const known = new Set(Array.from(before[kind], formOf));
    return [kind, [...after[kind]].filter((text) => !known.has(formOf(text)))];
  });
}

const KINDS = [
  "url",
  "host",
  "path",
  "email",
  "environment-variable",
  "name",
  "markup",
  "encoded",
  "invisible",
  "mixed-script",
] as const;

type Elements = Readonly<Record<Exclude<(typeof KINDS)[number], "invisible">, Set<string>>>;

/** Returns the elements of a text by kind, except invisible characters, which are counted. */
function elementsOf(text: string, names: NameIndex): Elements {
  const [elements, ...others] = piecesOf(text).map((piece) => elementsOfPiece(piece, names)) as [
    Elements,
    ...Elements[],
  ];
  for (const other of others) {
    for (const [kind, texts] of Object.entries(other))
      for (const each of texts) elements[kind as keyof Elements].add(each);
  }
  return elements;
}

function elementsOfPiece(text: string, names: NameIndex): Elements {
  const folded = foldForms(text);
  return {
    ...findAddresses(folded),
    "environment-variable": findEnvironmentVariables(folded),
    name: names.findIn(folded),
    markup: findMarkup(folded),
    encoded: findEncoded(folded),
    "mixed-script": findMixedScript(text),
  };
}

function addedInvisible(before: string, after: string): string[] {
  const known = invisibleIn(before);
  const characters = [...invisibleIn(after)].filter(([name, count]) => count > (known.get(name) ?? 0));
  const gap = longestGap(after);
  return [
    ...characters.map(([name, count]) => (count === 1 ? name : `${name}, ${count} times`)),
    ...(gap > longestGap(before) ? [`a gap of ${gap} characters`] : []),
  ];
}

export function listed(signal: SignalKind, texts: readonly string[]): ProseSignal[] {
  const shown = texts.length > MAX_OF_KIND ? texts.slice(0, MAX_OF_KIND - 1) : texts;
  const more = texts.length - shown.length;
  return [
    ...shown.map((text) => ({ signal, text: printable(text, MAX_SHOWN_LENGTH) })),
    ...(more > 0 ? [{ signal, text: `and ${more} more` }] : []),
  ];
}

/**
 * Returns a text as programs that open addresses read it: full-width and other compatibility forms become ordinary
 * characters.
 */
function foldForms(text: string): string {
  // The ideographic full stop between Latin letters or digits, unless a sentence begins after it: address bars read `a。b` as `a.b`.
  return text.normalize("NFKC").replace(/(?<=[A-Za-z0-9-])\u3002(?=[a-z0-9-]|[A-Z]{2})/g, ".");
}
