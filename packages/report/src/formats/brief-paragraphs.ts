import type { ShownFinding } from "../shown-finding.ts";
import type { ShownBlock } from "../subject-names.ts";

/** If there are more names than this, they are listed below a paragraph. */
export const MAX_NAMES = 3;

/** Names in a block that have the same changes, and those changes. The block itself has the name "". */
export interface Paragraph {
  readonly names: readonly string[];
  readonly changes: readonly ShownFinding[];
}

/** A name with the indices of its changes among the block's changes. */
type NameWithChanges = readonly [name: string, indices: readonly number[]];

/**
 * Returns a block's changes in paragraphs that names with the same changes share. A change that more than a few names
 * share is stated once, in its own paragraph, in addition to the paragraphs about their other changes, unless that
 * takes more words.
 */
export function paragraphsOf({ entries }: ShownBlock, isDense: boolean): Paragraph[] {
  const names = namesWithChanges(entries, isDense);
  const [together, alone] = split(names);
  const [apart, joined] = [sharedApart(names), [...together, ...sharedApart(alone)]];
  return [...(lengthOf(apart) > lengthOf(joined) ? joined : apart)]
    .sort((one, other) => (one.indices[0] ?? 0) - (other.indices[0] ?? 0))
    .map(({ names, indices }) => ({ names, changes: indices.flatMap((index) => entries[index]?.shown ?? []) }));
}

/** Returns groups of names with the same changes, and groups of names that share a frequent change. */
function sharedApart(names: readonly NameWithChanges[]): Group[] {
  const uses = new Map<number, number>();
  for (const index of names.flatMap(([, indices]) => indices)) uses.set(index, (uses.get(index) ?? 0) + 1);
  const isShared = (index: number): boolean => (uses.get(index) ?? 0) > MAX_NAMES;
  const part = (isWanted: (index: number) => boolean) =>
    groupsOf(names.map(([name, indices]) => [name, indices.filter(isWanted)] as const));
  return [...part((index) => !isShared(index)), ...part(isShared)].filter(({ indices }) => indices.length > 0);
}

/** Returns how many names and changes the groups list. */
function lengthOf(groups: readonly Group[]): number {
  return groups.reduce((sum, { names, indices }) => sum + names.length + indices.length, 0);
}

/** Returns the names under which a block lists an entry's subjects. */
export function namesOf({ names }: ShownBlock["entries"][number]): readonly string[] {
  return names.length === 0 ? [""] : names;
}

/**
 * Returns each name with its changes. In a dense report, changes without shown values can read the same; they are then
 * shown once.
 */
function namesWithChanges(entries: ShownBlock["entries"], isDense: boolean): NameWithChanges[] {
  const indices = new Map<string, number[]>();
  const known = new Map<string, number>();
  for (const [index, entry] of entries.entries()) {
    const { finding, message, pointer = "", values } = entry.shown;
    const text = [finding.level, message, pointer, ...values.map((line) => line.sign + line.text)].join("\n");
    const first = (isDense ? known.get(text) : undefined) ?? index;
    known.set(text, first);
    for (const name of namesOf(entry)) indices.set(name, [...(indices.get(name) ?? []), first]);
  }
  return [...indices].map(([name, of]) => [name, of.sort((one, other) => one - other)]);
}

interface Group {
  readonly names: readonly string[];
  readonly indices: readonly number[];
}

/** Groups the names with the same changes. */
function groupsOf(names: readonly NameWithChanges[]): Group[] {
  const groups = new Map<string, { names: string[]; indices: readonly number[] }>();
  for (const [name, indices] of names) {
    const group = groups.get(indices.join()) ?? { names: [], indices };
    group.names.push(name);
    groups.set(indices.join(), group);
  }
  return [...groups.values()];
}

/** Returns the groups with several names, and the names whose changes no other name has. */
function split(names: readonly NameWithChanges[]): [Group[], NameWithChanges[]] {
  const groups = groupsOf(names);
  const alone = groups.flatMap(({ names: [name = "", ...others], indices }) =>
    others.length === 0 ? [[name, indices] as const] : [],
  );
  return [groups.filter(({ names }) => names.length > 1), alone];
}
