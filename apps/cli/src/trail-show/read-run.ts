import { count } from "@agentprint/findings";
import { type EventVerifier, readEvents, type TrailEntry } from "@agentprint/recorder/events";
import {
  parseThoughtLines,
  type RecordSource,
  TasksVerifier,
  type UncoveredMembers,
  UncoveredMembersLog,
} from "@agentprint/trail/chain";
import { type CheckpointTrust, verifyCheckpoint } from "@agentprint/trail/checkpoint";
import { type Anchor, anchorIn, Timeline } from "@agentprint/trail-page";
import type { ShownRun } from "@agentprint/trail-page/page";
import type { StoreProblem, TrailStore } from "@agentprint/trail-store";
import type { Context } from "../run/context.ts";
import { clearProgress, showProgress } from "../terminal/notices.ts";
import { addProblem, type EventProblem } from "../trail/event-problems.ts";
import { openKeyFolder } from "../trail/key-folder.ts";
import { isStoreUrl, readText, requireTask, withStore } from "../trail/source.ts";
import { openTask } from "../trail/stored-task.ts";
import { readTrailText } from "../trail/trail-text.ts";
import { readTrustKeys, type TrustOptions, toTrust } from "../trail/trust.ts";

/** The run to read, and the parties whose seals and checkpoints are accepted. */
export interface RunOptions extends TrustOptions {
  readonly task?: string;
  readonly checkpoint?: readonly string[];
  readonly key?: string;
  /** The folder with the keys of encrypted contents. */
  readonly contentKeys?: string;
}

/** A run that was read: its rows, and the findings on their records. */
export interface Run extends ShownRun {
  readonly storeProblems: readonly StoreProblem[];
  readonly eventProblems: readonly EventProblem[];
  /** The lines of a JSON Lines text whose records have additional members. */
  readonly uncovered: readonly UncoveredMembers[];
  /** The name of the key that signed the checkpoints, if each chain must be covered by one. */
  readonly signer: string | undefined;
}

/** The number of records between two updates of the progress. */
const PROGRESS_EVERY = 1000;

interface Opened {
  readonly records: RecordSource;
  readonly anchors: readonly Anchor[];
  readonly storeProblems: readonly StoreProblem[];
  /** The tasks whose first records were dropped. */
  readonly cut: ReadonlySet<string>;
}

/**
 * Reads a run once, so that the shown records are the verified ones.
 *
 * @param newOnEntry Returns the function for the entries that the reader finds; it is called again if the reading
 * starts again, which never happens once `written` was called
 */
export async function readRun(
  context: Context,
  source: string,
  options: RunOptions,
  keys: readonly EventVerifier[],
  newOnEntry: (written: () => void) => (entry: TrailEntry) => Promise<void> | void,
): Promise<Run> {
  const trustKeys = readTrustKeys(options, isStoreUrl(source));
  const trust = trustKeys && toTrust(trustKeys);
  const folder = options.contentKeys;
  const contentKeys = folder === undefined ? undefined : await openKeyFolder(context, folder);
  const reading = { keys, ...(contentKeys && { contentKeys }) };
  const kept = trust ? await readKept(context, options, trust) : [];
  const log = new UncoveredMembersLog();
  const read = async (written: () => void, { records, anchors, storeProblems, cut }: Opened): Promise<Run> => {
    const heads = (task: string) => anchors.flatMap((anchor) => (anchor.task === task ? (anchor.head ?? []) : []));
    const verifier = new TasksVerifier({ checkpoints: heads });
    const timeline = new Timeline(anchors);
    const onEntry = newOnEntry(written);
    const eventProblems: EventProblem[] = [];
    const events = { ...reading, isDropped: (task: string) => cut.has(task) };
    for await (const entry of readEvents(pushing(context, records, verifier), events)) {
      timeline.add(entry);
      addProblem(eventProblems, entry);
      await onEntry(entry);
    }
    timeline.end();
    clearProgress(context);
    const uncovered = log.found.filter(({ taskId }) => options.task === undefined || taskId === options.task);
    const signer = trust?.log.name;
    return { timeline, anchors, chains: verifier.finish(), storeProblems, eventProblems, uncovered, signer };
  };
  if (!isStoreUrl(source)) {
    const records = ofTask(logging(parseThoughtLines(readTrailText(context, source)), log), options.task);
    return read(() => undefined, { records, anchors: kept, storeProblems: [], cut: new Set() });
  }
  return withStore(context, source, "read", async (store, written) => {
    if (options.task !== undefined) await requireTask(store, options.task);
    return read(written, await openStored(store, options.task, kept, trust));
  });
}

async function readKept(
  context: Context,
  { checkpoint = [], task = "" }: RunOptions,
  trust: CheckpointTrust,
): Promise<readonly Anchor[]> {
  const notes = await Promise.all(checkpoint.map((file) => readText(context, file)));
  // A given checkpoint that is not accepted ends the command, because the user asked for the comparison.
  for (const note of notes) verifyCheckpoint(note, trust);
  return notes.map((note) => anchorIn(task, note, trust));
}

async function openStored(
  store: TrailStore,
  task: string | undefined,
  kept: readonly Anchor[],
  trust: CheckpointTrust | undefined,
): Promise<Opened> {
  const tasks: string[] = [];
  if (task !== undefined) tasks.push(task);
  else for await (const { taskId } of store.tasks()) tasks.push(taskId);
  const anchors = [...kept];
  for (const id of tasks) anchors.push(...(await store.checkpoints(id)).map((note) => anchorIn(id, note, trust)));
  const opened = await Promise.all(tasks.map(async (id) => ({ id, ...(await openTask(store, id)) })));
  const records = (async function* () {
    for (const { read } of opened) yield* read();
  })();
  const cut = new Set(opened.filter(({ dropped }) => dropped > 0).map(({ id }) => id));
  return { records, anchors, storeProblems: await store.checkStructure(task), cut };
}

async function* logging(values: AsyncIterable<unknown>, log: UncoveredMembersLog): AsyncGenerator<unknown, void> {
  for await (const value of values) {
    log.push(value);
    yield value;
  }
}

async function* ofTask(records: AsyncIterable<unknown>, task: string | undefined): AsyncGenerator<unknown, void> {
  for await (const record of records) {
    if (task === undefined || (record as { task_id?: unknown } | null)?.task_id === task) yield record;
  }
}

async function* pushing(
  context: Context,
  records: RecordSource,
  verifier: TasksVerifier,
): AsyncGenerator<unknown, void> {
  let read = 0;
  for await (const record of records) {
    verifier.push(record);
    if (++read % PROGRESS_EVERY === 0) showProgress(context, `${count(read, "record")} verified`);
    yield record;
  }
}
