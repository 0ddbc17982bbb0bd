import { canonicalize, type JsonValue } from "@agentprint/canonical-json";
import type { Finding } from "@agentprint/findings";
import type { TextComparer } from "./compare-words.ts";
import { excerptText, shorten } from "./excerpt-text.ts";
import type { FindingGroup } from "./group-findings.ts";
import { showValues, type ValueLine } from "./shown-values.ts";

/**
 * Findings with the same change, for the formats that people read. Their texts are escaped, and cut if they are too
 * long.
 */
export interface ShownFinding {
  /** The first of the findings. */
  readonly finding: Finding;
  readonly group: FindingGroup;
  /** The subjects of the findings; at least one. */
  readonly subjects: readonly [string, ...string[]];
  readonly message: string;
  readonly pointer?: string;
  readonly values: readonly ValueLine[];
  /** The notes of the findings, each once. */
  readonly notes: readonly ShownNote[];
  /** Whether everything is shown except text that did not change. */
  readonly isWhole: boolean;
}

/** A note, with its subjects unless it is about all of them. */
export interface ShownNote {
  readonly text: string;
  readonly subjects?: readonly string[];
}

/**
 * Returns the shown form of findings, each with at most `maxLength` UTF-16 code units in addition to its subjects. With
 * `maxBrief`, its values take at most that many, and each value is on one line.
 */
export function showFindings(
  groups: readonly FindingGroup[],
  comparer: TextComparer,
  maxLength: number,
  maxBrief?: number,
): ShownFinding[] {
  return groups.map((group) => {
    const [finding] = group;
    const maxText = Math.floor(maxLength / 4);
    let isWhole = true;
    const show = (text: string): string => {
      if (excerptText(text, maxText).rest > 0) isWhole = false;
      return shorten(text, maxText);
    };
    const { pointer } = finding.place;
    const [first, ...others] = new Set(group.map(({ place }) => show(place.subject)));
    const subjects = [first ?? "", ...others] as const;
    const message = show(finding.message);
    // The empty pointer stands for the subject itself.
    const at = pointer ? show(pointer) : "";
    const notes = notesOf(group, subjects.length, show);
    const taken = [message, at, ...notes.map(({ text }) => text)].reduce((sum, text) => sum + text.length, 0);
    const room = maxBrief ?? Math.max(0, maxLength - taken);
    const values = showValues(...textsOf(finding), comparer, {
      room,
      isBrief: maxBrief !== undefined,
    });
    return {
      finding,
      group,
      subjects,
      message,
      ...(at !== "" && { pointer: at }),
      values: values.lines,
      notes,
      isWhole: isWhole && values.isWhole,
    };
  });
}

function notesOf(group: FindingGroup, all: number, show: (text: string) => string): ShownNote[] {
  const subjects = new Map<string, Set<string>>();
  for (const { note, place } of group) {
    if (note !== undefined) subjects.set(note, (subjects.get(note) ?? new Set()).add(show(place.subject)));
  }
  return [...subjects].map(([note, about]) => ({
    text: show(note),
    ...(about.size < all && { subjects: [...about] }),
  }));
}

/** Returns the findings about each subject together, with the subjects in the order in which they first appear. */
export function findingsBySubject(findings: readonly ShownFinding[]): Map<string, [ShownFinding, ...ShownFinding[]]> {
  const groups = new Map<string, [ShownFinding, ...ShownFinding[]]>();
  for (const shown of findings) {
    const { subject } = shown.finding.place;
    const group = groups.get(subject);
    if (group === undefined) groups.set(subject, [shown]);
    else group.push(shown);
  }
  return groups;
}

/** Returns a finding as lines, without its subjects. */
export function findingLines({ message, pointer, values, notes }: ShownFinding): string[] {
  return [
    `${message}${pointer === undefined ? "" : ` at ${pointer}`}`,
    ...values.map(({ sign, text }) => `${sign} ${text}`),
    ...notes.map(noteText),
  ];
}

/** Returns a note, with the names of its subjects unless it is about all of them. */
export function noteText({ text, subjects }: ShownNote): string {
  return subjects === undefined ? text : `${subjects.join(", ")}: ${text}`;
}

/**
 * Returns a finding's values as JSON text. Two digests are shortened to their beginnings, which show that they differ.
 */
function textsOf({ before, after }: Finding): [before: string | undefined, after: string | undefined] {
  const texts = [jsonText(before), jsonText(after)] as const;
  if (!texts.every((text) => text !== undefined && DIGEST.test(text))) return [...texts];
  const [one, other] = texts.map((text) => `${text?.slice(0, SHORT_DIGEST + 1)}…"`);
  return one === other ? [...texts] : [one, other];
}

/** Matches a SHA-256 digest as JSON text. */
const DIGEST = /^"[0-9a-f]{64}"$/;
/** How many digits of a digest are shown. */
const SHORT_DIGEST = 12;

function jsonText(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : canonicalize(value, { profile: "ecmascript" });
}
