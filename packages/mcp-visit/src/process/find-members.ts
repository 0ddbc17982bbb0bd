import { setImmediate } from "node:timers/promises";
import { eachProcess, type ProcessEntry } from "./process-table.ts";

/** A running server and everything that it started. */
export interface ProcessTree {
  /** The id of the process that leads the session and the process group; this process may have ended. */
  readonly pid: number;
  /** The `NAME=value` of an environment variable that every process of the server inherits. */
  readonly mark: string;
  /** The processes known to belong to the tree, each with its start time. */
  readonly members: Map<number, string>;
}

/** The running members of each tree. */
type Found = ReadonlyMap<ProcessTree, readonly number[]>;

/** The trees whose members every scan records. */
export const liveTrees: Set<ProcessTree> = new Set();

let look: Promise<Found> | undefined;

/**
 * Records the processes that belong to each live tree: those that carry its mark or are in its session, and the
 * descendants of known members. Call it while the server runs, because an orphaned process no longer names its parent.
 * Trees that are searched in the same turn of the event loop share one scan of the processes, which begins after all of
 * them have requested it, because servers that are visited together often end together, and a scan takes milliseconds.
 *
 * @param tree - One of the live trees
 * @returns The running members of the tree.
 */
export async function findMembers(tree: ProcessTree): Promise<readonly number[]> {
  look ??= lookSoon();
  return (await look).get(tree) ?? [];
}

async function lookSoon(): Promise<Found> {
  await setImmediate();
  look = undefined;
  return lookFor();
}

/**
 * Does the same as {@link findMembers}, but immediately. `onMember` is called with each member of the tree as soon as
 * it is found.
 */
export function findMembersNow(tree: ProcessTree, onMember?: (pid: number) => void): readonly number[] {
  return lookFor((each, pid) => each === tree && onMember?.(pid)).get(tree) ?? [];
}

function lookFor(onMember?: (tree: ProcessTree, pid: number) => void): Found {
  const searches = [...liveTrees].map((tree) => new Search(tree, (pid) => onMember?.(tree, pid)));
  eachProcess(
    [...liveTrees].map(({ mark }) => mark),
    (pid, startTime) => searches.some(({ tree }) => tree.members.get(pid) === startTime),
    (entry) => {
      if (entry.pid !== process.pid) for (const search of searches) search.see(entry);
    },
  );
  for (const search of searches) search.addDescendants();
  return new Map(searches.map(({ tree, found }) => [tree, [...found]]));
}

/** A search for the members of one tree among the processes. */
class Search {
  readonly tree: ProcessTree;
  readonly found = new Set<number>();
  readonly #onMember: (pid: number) => void;
  readonly #others = new Map<number, ProcessEntry>();

  constructor(tree: ProcessTree, onMember: (pid: number) => void) {
    this.tree = tree;
    this.#onMember = onMember;
  }

  see(entry: ProcessEntry): void {
    const { pid, session, startTime, marks } = entry;
    const { mark, pid: leader, members } = this.tree;
    if (marks.includes(mark) || session === leader || members.get(pid) === startTime) this.#add(entry);
    else this.#others.set(pid, entry);
  }

  addDescendants(): void {
    for (let before = -1; before !== this.found.size; ) {
      before = this.found.size;
      for (const [pid, entry] of this.#others) {
        if (entry.parent <= 1 || !this.found.has(entry.parent)) continue;
        this.#others.delete(pid);
        this.#add(entry);
      }
    }
  }

  #add({ pid, startTime }: ProcessEntry): void {
    this.#onMember(pid);
    this.tree.members.set(pid, startTime);
    this.found.add(pid);
  }
}
