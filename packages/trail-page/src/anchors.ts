import {
  type CheckpointTrust,
  parseCheckpoint,
  parseNote,
  TrailError,
  type TreeHead,
  verifyCheckpoint,
} from "@agentprint/trail/checkpoint";
import type { Row } from "./row.ts";

/** A task's checkpoint, which anchors the records up to its size. */
export interface Anchor {
  readonly task: string;
  readonly size: number;
  /** The tree head in the checkpoint; absent if its signature was not checked or is not valid. */
  readonly head?: TreeHead;
  readonly tone: Row["tone"];
  readonly says: string;
}

/**
 * Returns the checkpoint in a signed note. Without `trust`, its signature is not checked, and the checkpoint is only
 * shown.
 */
export function anchorIn(task: string, note: string, trust: CheckpointTrust | undefined): Anchor {
  try {
    if (trust === undefined) {
      const { size, origin } = parseCheckpoint(parseNote(note).text);
      return { task, size, tone: "quiet", says: `of ${origin}; its signature was not checked` };
    }
    const { origin, witnesses, ...head } = verifyCheckpoint(note, trust);
    const names = witnesses.map(({ name }) => name);
    const says = [`signed by ${origin}`, ...(names.length > 0 ? [`witnessed by ${names.join(", ")}`] : [])].join(" · ");
    return { task, size: head.size, head, tone: "good", says };
  } catch (error) {
    if (!(error instanceof TrailError)) throw error;
    return { task, size: sizeIn(note), tone: "odd", says: `does not count: ${error.message}` };
  }
}

/** Returns the number of records that a note covers; 0 if the note does not state it. */
function sizeIn(note: string): number {
  try {
    return parseCheckpoint(parseNote(note).text).size;
  } catch {
    return 0;
  }
}
