import { showText } from "./characters/show-text.ts";
import type { ShownFinding } from "./shown-finding.ts";

/** The findings of a server; or of the same subjects, where they belong to no server. */
export interface ShownBlock {
  readonly name: string;
  readonly entries: readonly {
    readonly shown: ShownFinding;
    /** The subjects without the name of the block; empty where the finding is about the block itself. */
    readonly names: readonly string[];
  }[];
}

/** Between the name of a server and the name of what is inside it. */
const INSIDE = " › ";

/** The findings in blocks, each block at the place of its first finding. */
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

function namesIn(server: string, subjects: readonly string[]): string[] {
  if (subjects.length === 1 && subjects[0] === server) return [];
  return subjects.map((subject) =>
    subject.startsWith(`${server}${INSIDE}`) ? subject.slice(server.length + INSIDE.length) : subject,
  );
}
