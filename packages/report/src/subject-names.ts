import { showText } from "./characters/show-text.ts";
import type { ShownFinding } from "./shown-finding.ts";

/** The findings about a server, or about the same subjects if they belong to no server. */
export interface ShownBlock {
  readonly name: string;
  readonly entries: readonly {
    readonly shown: ShownFinding;
    /** The subjects without the block's name; empty if the finding is about the block itself. */
    readonly names: readonly string[];
  }[];
}

/** The entries below one heading in a block. */
export interface ShownSection extends ShownBlock {
  /** Absent if the block has no headings, or if the entries come before the first one. */
  readonly title?: string;
}

/** A block with fewer entries has no headings. */
const MIN_ENTRIES = 6;

/** The separator between a server's name and an item's name. */
const INSIDE = " › ";

/** Groups findings in blocks, each at the position of its first finding. */
export function blocksOf(findings: readonly ShownFinding[]): ShownBlock[] {
  const blocks = new Map<string, { name: string; entries: ShownBlock["entries"][number][] }>();
  for (const shown of findings) {
    const { server } = shown.finding.place;
    const name = server === undefined ? shown.subjects.join(", ") : showText(server);
    const key = JSON.stringify([server ?? null, name]);
    const block = blocks.get(key) ?? { name, entries: [] };
    blocks.set(key, block);
    block.entries.push({ shown, names: server === undefined ? [] : namesIn(name, shown.subjects) });
  }
  return [...blocks.values()];
}

/** Splits a block into sections. A short block, and one whose findings share a heading, is one section without a heading. */
export function sectionsOf({ name, entries }: ShownBlock): ShownSection[] {
  const titles = new Set(entries.map(({ shown }) => shown.finding.section));
  if (titles.size < 2 || entries.length < MIN_ENTRIES) return [{ name, entries }];
  // Entries without a heading must not appear below the heading of other entries.
  const titled = [...titles].filter((title) => title !== undefined);
  const sorted = titles.size > titled.length ? [undefined, ...titled] : titled;
  return sorted.map((title) => ({
    name,
    ...(title !== undefined && { title: showText(title) }),
    entries: entries.filter(({ shown }) => shown.finding.section === title),
  }));
}

function namesIn(server: string, subjects: readonly string[]): string[] {
  if (subjects.length === 1 && subjects[0] === server) return [];
  return subjects.map((subject) =>
    subject.startsWith(`${server}${INSIDE}`) ? subject.slice(server.length + INSIDE.length) : subject,
  );
}
