import { shorten } from "../excerpt-text.ts";
import { HIGHEST_FIRST } from "../server-table.ts";
import type { ShownFinding } from "../shown-finding.ts";
import type { ShownBlock, ShownSection } from "../subject-names.ts";
import { MAX_NAMES, namesOf, type Paragraph, paragraphsOf } from "./brief-paragraphs.ts";
import { inlineValues, type Paint } from "./paint.ts";

/** In a dense report, longer pointers and longer sentences in notes are shortened. */
const MAX_POINTER = 22;
const MAX_SENTENCE = 120;

/** A sentence from a block's notes, and the names it is about. */
interface Sentence {
  readonly text: string;
  readonly names: ReadonlySet<string>;
  readonly changes: ReadonlySet<ShownFinding>;
}

/** A short form of a block, and the changes some of whose sentences it leaves out. */
interface BriefBlock {
  readonly lines: readonly string[];
  readonly cut: ReadonlySet<ShownFinding>;
}

/**
 * Returns a block in few lines: one paragraph for the changes of the same names, with the notes' sentences that are
 * only about these names, and then each other sentence in the notes once. The sentences in `shared` are printed below
 * all blocks.
 */
export function briefBlock(
  block: ShownSection,
  shared: ReadonlySet<string>,
  isDense: boolean,
  paint: Paint,
): BriefBlock {
  const sentences = sentencesOf(block).filter(({ text }) => !shared.has(text));
  const written = new Set<Sentence>();
  const cut = new Set<ShownFinding>();
  const condensed = (some: readonly Sentence[]): Sentence[] => {
    const { shown, hidden } = condense(some);
    for (const { changes } of hidden) for (const change of changes) cut.add(change);
    return shown;
  };
  const paragraphs = paragraphsOf(block, isDense).flatMap((paragraph) => {
    const own = sentences.filter((sentence) => !written.has(sentence) && isAbout(sentence, paragraph));
    for (const sentence of own) written.add(sentence);
    return paragraphLines(paragraph, condensed(own), isDense, paint);
  });
  const others = condensed(sentences.filter((sentence) => !written.has(sentence)));
  const below = others.map((sentence) => `    ${paint.dim(sentenceText(sentence, block, isDense))}`);
  const title = block.title === undefined ? [] : [` ${paint.subject(block.title)}`];
  return { lines: [...title, ...paragraphs, ...below], cut };
}

/** Keeps only the first of several sentences that differ only in values and numbers, and states how many there are. */
function condense(sentences: readonly Sentence[]): { shown: Sentence[]; hidden: Sentence[] } {
  const alike = new Map<string, Sentence[]>();
  for (const sentence of sentences) {
    const form = sentence.text.replace(VALUES, "…");
    alike.set(form, [...(alike.get(form) ?? []), sentence]);
  }
  const groups = [...alike.values()];
  return {
    shown: groups.flatMap((group) => {
      const [first] = group;
      if (first === undefined || group.length <= MAX_NAMES) return group;
      return [{ ...first, text: `${first.text} (and ${group.length - 1} more like this)` }];
    }),
    hidden: groups.flatMap((group) => (group.length <= MAX_NAMES ? [] : group.slice(1))),
  };
}

/** Matches the values and numbers that differ between sentences about different changes. */
const VALUES = /[{[].*[}\]]|\d+/gs;

/** Returns the sentences that occur in the notes of several blocks, each with the number of names it is about. */
export function sharedSentences(blocks: readonly ShownBlock[]): Map<string, string> {
  const said = new Map<string, number[]>();
  for (const block of blocks) {
    for (const { text, names } of sentencesOf(block)) said.set(text, [...(said.get(text) ?? []), names.size]);
  }
  const shared = [...said].filter(([, about]) => about.length > 1);
  return new Map(shared.map(([text, about]) => [text, `${text} (${about.reduce((sum, count) => sum + count)} times)`]));
}

/** Returns whether a sentence is about exactly the names of a paragraph, and about one of its changes. */
function isAbout(sentence: Sentence, { names, changes }: Paragraph): boolean {
  return (
    sentence.names.size === names.length &&
    names.every((name) => sentence.names.has(name)) &&
    changes.some((change) => sentence.changes.has(change))
  );
}

function paragraphLines(
  { names, changes }: Paragraph,
  own: readonly Sentence[],
  isDense: boolean,
  paint: Paint,
): string[] {
  const messages = [...new Set(changes.map(({ message }) => message))];
  const sorted = HIGHEST_FIRST.flatMap((level) =>
    messages.flatMap((each) => changes.filter(({ finding, message }) => finding.level === level && message === each)),
  );
  const texts = sorted.map((shown, index) => changeText(shown, sorted[index - 1], isDense, paint));
  const isBelow = names.length > MAX_NAMES && !isDense;
  const listed = isDense && !areTools(changes) ? fewOf(names) : names.join(", ");
  const who = isBelow || names[0] === "" ? "" : `${paint.subject(listed)}: `;
  const [first = "", ...others] = texts;
  const level = sorted[0]?.finding.level ?? "note";
  const line = `  ${paint[level](level)}  ${who}${[first, ...others].join("; ")}`;
  if (isDense) return [[line, ...own.map(({ text }) => paint.dim(shorten(text, MAX_SENTENCE)))].join(". ")];
  return [
    line,
    ...(isBelow ? [`    ${namesInWords(names, changes)}`] : []),
    ...own.map(({ text }) => `    ${paint.dim(text)}`),
  ];
}

/** Returns the number of names with the same changes, followed by the names. */
export function namesInWords(names: readonly string[], changes: readonly ShownFinding[]): string {
  return `in ${names.length} ${areTools(changes) ? "tools" : "places"}: ${names.join(", ")}`;
}

function areTools(changes: readonly ShownFinding[]): boolean {
  return changes.every(({ finding }) => finding.place.tool !== undefined);
}

/** Returns the first of many names. A dense report lists all tools, but not each of a hundred resources. */
function fewOf(names: readonly string[]): string {
  const more = names.length - MAX_OTHERS;
  return more <= 1 ? names.join(", ") : `${names.slice(0, MAX_OTHERS).join(", ")} and ${more} more`;
}

/** The maximum number of names in a dense paragraph, except names of tools. */
const MAX_OTHERS = 4;

/**
 * Returns the text of a change that follows another change of the same names, without the part that both have in
 * common.
 */
function changeText(shown: ShownFinding, last: ShownFinding | undefined, isDense: boolean, paint: Paint): string {
  const { finding, message, pointer, values } = shown;
  const isOtherLevel = last !== undefined && last.finding.level !== finding.level;
  const isOther = last === undefined || isOtherLevel || last.message !== message;
  const level = isOtherLevel ? `${paint[finding.level](finding.level)} ` : "";
  const [parent, lastParent] = [pointer, isOther ? undefined : last.pointer].map((at) => at?.replace(/\/[^/]*$/, ""));
  const isBeside = parent !== undefined && parent !== "" && parent === lastParent;
  const whole = pointer === undefined || !isDense ? pointer : endOf(pointer);
  const at = whole === undefined ? "" : isBeside ? `…${pointer?.slice(parent.length)}` : whole;
  const what = isOther ? `${level}${message}${at === "" ? "" : " at "}` : "";
  const shownValues = inlineValues(values, paint);
  return `${what}${at}${values.length === 0 ? "" : shownValues === "…" ? " …" : `: ${shownValues}`}`;
}

/** Returns the last two names of a long pointer, or the last if it has only two. */
function endOf(pointer: string): string {
  if (pointer.length <= MAX_POINTER) return pointer;
  const names = pointer.split("/");
  return `…/${names.slice(names.length > 3 ? -2 : -1).join("/")}`;
}

/** Returns the sentences in a block's notes, each once. */
function sentencesOf({ entries }: ShownBlock): Sentence[] {
  const sentences = new Map<string, { text: string; names: Set<string>; changes: Set<ShownFinding> }>();
  for (const entry of entries) {
    const { notes, subjects: all } = entry.shown;
    for (const note of notes) {
      const names = namesOf(entry).filter((_, index) => note.subjects?.includes(all[index] ?? "") ?? true);
      for (const text of note.text.split(/\. (?=[A-Z])/)) {
        const sentence = sentences.get(text) ?? { text, names: new Set(), changes: new Set() };
        for (const name of names) sentence.names.add(name);
        sentence.changes.add(entry.shown);
        sentences.set(text, sentence);
      }
    }
  }
  return [...sentences.values()];
}

/**
 * Returns a sentence preceded by the names it is about, or by their number, or alone if it is about the complete block.
 */
function sentenceText({ text, names }: Sentence, { name, entries }: ShownBlock, isDense: boolean): string {
  const all = new Set(entries.flatMap(namesOf));
  if (names.size === all.size) return text;
  const isCounted = names.size > (isDense ? 1 : MAX_NAMES);
  return `${isCounted ? `${names.size} of ${all.size}` : [...names].map((each) => each || name).join(", ")}: ${text}`;
}
