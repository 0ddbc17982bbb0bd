import type { FindingLevel } from "../report.ts";
import type { ShownFinding } from "../shown-finding.ts";
import type { ShownBlock } from "../subject-names.ts";
import { inlineValues, type Paint } from "./paint.ts";

const LEVELS: readonly FindingLevel[] = ["error", "warning", "note"];
/** More names than these stand below a paragraph. */
export const MAX_NAMES = 3;

/** A finding of a block, with the names under which the block has its subjects. */
type Entry = ShownBlock["entries"][number];

/** The names of a block to which the same happened, and what. The block itself has the name "". */
interface Paragraph {
  readonly names: string[];
  readonly changes: readonly ShownFinding[];
}

/** A block in few lines: a paragraph for all names with the same changes, and each sentence of their notes once. */
export function briefLines(block: ShownBlock, paint: Paint): string[] {
  return [
    ...paragraphsOf(block).flatMap((paragraph) => paragraphLines(paragraph, paint)),
    ...sentencesOf(block).map((sentence) => `    ${paint.dim(sentence)}`),
  ];
}

function paragraphsOf({ entries }: ShownBlock): Paragraph[] {
  const indices = new Map<string, number[]>();
  for (const [index, entry] of entries.entries()) {
    for (const name of namesOf(entry)) indices.set(name, [...(indices.get(name) ?? []), index]);
  }
  const paragraphs = new Map<string, Paragraph>();
  for (const [name, changes] of indices) {
    const key = changes.join();
    const paragraph = paragraphs.get(key);
    if (paragraph !== undefined) paragraph.names.push(name);
    else paragraphs.set(key, { names: [name], changes: changes.flatMap((index) => entries[index]?.shown ?? []) });
  }
  return [...paragraphs.values()];
}

function namesOf({ names }: Entry): readonly string[] {
  return names.length === 0 ? [""] : names;
}

function paragraphLines({ names, changes }: Paragraph, paint: Paint): string[] {
  const sorted = LEVELS.flatMap((level) => changes.filter(({ finding }) => finding.level === level));
  const texts = sorted.map((shown, index) => changeText(shown, sorted[index - 1], paint));
  const who = names.length > MAX_NAMES || names[0] === "" ? "" : `${paint.subject(names.join(", "))}: `;
  const [first = "", ...others] = texts;
  const level = sorted[0]?.finding.level ?? "note";
  return [
    `  ${paint[level](level)}  ${who}${[first, ...others].join("; ")}`,
    ...(names.length > MAX_NAMES ? [`    ${names.length} of them: ${names.join(", ")}`] : []),
  ];
}

/** A change behind another one of the same names: what both have in common is said once. */
function changeText(shown: ShownFinding, last: ShownFinding | undefined, paint: Paint): string {
  const { finding, message, pointer, values } = shown;
  const isOtherLevel = last !== undefined && last.finding.level !== finding.level;
  const isOther = last === undefined || isOtherLevel || last.message !== message;
  const level = isOtherLevel ? `${paint[finding.level](finding.level)} ` : "";
  const [parent, lastParent] = [pointer, isOther ? undefined : last.pointer].map((at) => at?.replace(/\/[^/]*$/, ""));
  const isBeside = parent !== undefined && parent !== "" && parent === lastParent;
  const at = pointer === undefined ? "" : isBeside ? `…${pointer.slice(parent.length)}` : pointer;
  const what = isOther ? `${level}${message}${at === "" ? "" : " at "}` : "";
  return `${what}${at}${values.length === 0 ? "" : `: ${inlineValues(values, paint)}`}`;
}

/** The sentences of the notes of a block, each once, with the names that it is about, or their number. */
function sentencesOf({ name, entries }: ShownBlock): string[] {
  const about = new Map<string, Set<string>>();
  for (const entry of entries) {
    const { notes, subjects: all } = entry.shown;
    for (const { text, subjects } of notes) {
      const names = namesOf(entry).filter((_, index) => subjects?.includes(all[index] ?? "") ?? true);
      for (const sentence of text.split(/\. (?=[A-Z])/)) {
        about.set(sentence, new Set([...(about.get(sentence) ?? []), ...names]));
      }
    }
  }
  const everybody = new Set(entries.flatMap(namesOf));
  return [...about].map(([sentence, names]) => {
    if (names.size === everybody.size) return sentence;
    const who = [...names].map((each) => each || name).join(", ");
    return `${names.size > MAX_NAMES ? `${names.size} of ${everybody.size}` : who}: ${sentence}`;
  });
}
