import { count, type ExitCode, judgeReport, type Report } from "@agentprint/findings";
import {
  type ChainReport,
  ChainVerifier,
  parseThoughtLines,
  type TasksReport,
  type TreeHead,
  verifyTaskLines,
} from "@agentprint/trail/chain";
import { verifyCheckpoint } from "@agentprint/trail/checkpoint";
import type { StoreReport } from "@agentprint/trail-store";
import type { ReportOptions } from "../report/report-options.ts";
import { writeReport } from "../report/write-report.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { clearProgress, showProgress } from "../terminal/notices.ts";
import { readEventKey } from "./event-key.ts";
import { type EventProblem, findEventProblems } from "./event-problems.ts";
import { findOtherRule } from "./other-rule.ts";
import { isStoreUrl, readText, refuseOtherUrls, withoutPassword, withStore } from "./source.ts";
import { joinSources, type SourceResult } from "./sources-report.ts";
import { openTask } from "./stored-task.ts";
import { chainsToReport, type Found } from "./trail-report.ts";
import { readTrailText } from "./trail-text.ts";
import { readTrustKeys, type TrustKeys, type TrustOptions, toTrust } from "./trust.ts";
import { verifyInParts, verifyStoreInParallel } from "./workers.ts";

type Verified = Omit<Found, "eventProblems">;
type Checkpoints = (taskId: string) => readonly TreeHead[];

export interface VerifyOptions extends ReportOptions, TrustOptions {
  readonly task?: string;
  readonly checkpoint?: readonly string[];
  readonly workers?: number;
  readonly eventKey?: string;
}

/**
 * Verifies stores, JSON Lines files or standard input, one by one, and writes one report; returns its exit code. A
 * source that cannot be read does not affect the results of the others.
 *
 * @throws {@link CliError} `usage`, before a source is read
 */
export async function verify(context: Context, sources: readonly string[], options: VerifyOptions): Promise<ExitCode> {
  for (const source of sources) refuseOtherUrls(source);
  refuseSecondReading(sources, options);
  const [first = "-", ...more] = sources;
  if (more.length === 0) {
    return writeReport(context, judgeReport(await verifySource(context, first, options)), options, [first]);
  }
  const results: SourceResult[] = [];
  for (const source of sources) {
    const name = withoutPassword(source);
    results.push({ name, result: await verifySource(context, source, options).catch(asUnread) });
  }
  clearProgress(context);
  return writeReport(context, judgeReport(joinSources(results)), options, sources);
}

function refuseSecondReading(sources: readonly string[], { eventKey }: VerifyOptions): void {
  const readings = sources.filter((source) => source === "-").length;
  if (readings > 1) throw new CliError("usage", "standard input can be read once", { expected: "- once at most" });
  if (readings === 1 && eventKey !== undefined) {
    throw new CliError("usage", "standard input can be read once, and events are read after the chain", {
      expected: "a store or a file with --event-key",
    });
  }
}

/** Returns the error about an unreadable source; rethrows any other error. */
function asUnread(error: unknown): { readonly code: string; readonly message: string } {
  const isCoded = error instanceof Error && "code" in error && typeof error.code === "string";
  if (!isCoded || error.code === "usage") throw error;
  return { code: String(error.code), message: error.message };
}

async function verifySource(context: Context, source: string, options: VerifyOptions): Promise<Report> {
  const keys = readTrustKeys(options, isStoreUrl(source));
  const heads = keys ? await readCheckpoints(context, options.checkpoint ?? [], keys) : [];
  const checkpoints: Checkpoints = (taskId) => (taskId === options.task ? heads : []);
  const found = isStoreUrl(source)
    ? await verifyStore(context, source, options, checkpoints, keys)
    : await verifyText(context, source, options, checkpoints);
  const eventProblems = await verifyEvents(context, source, options);
  clearProgress(context);
  const file = isStoreUrl(source) || source === "-" ? undefined : source;
  return chainsToReport(
    { ...found, eventProblems },
    { name: withoutPassword(source), file, signer: keys && toTrust(keys).log.name },
  );
}

/** Reads the source a second time, if a key for its events was given. */
async function verifyEvents(
  context: Context,
  source: string,
  { eventKey, task }: VerifyOptions,
): Promise<readonly EventProblem[]> {
  if (eventKey === undefined) return [];
  const key = await readEventKey(context, eventKey);
  if (!isStoreUrl(source)) return findEventProblems(parseThoughtLines(readTrailText(context, source)), key);
  return withStore(context, source, "read", async (store) => {
    const problems: EventProblem[] = [];
    const add = async (taskId: string): Promise<void> => {
      const { dropped, read } = await openTask(store, taskId);
      problems.push(...(await findEventProblems(read(), key, dropped > 0)));
    };
    if (task !== undefined) await add(task);
    else for await (const { taskId } of store.tasks()) await add(taskId);
    return problems;
  });
}

async function verifyStore(
  context: Context,
  url: string,
  options: VerifyOptions,
  checkpoints: Checkpoints,
  keys: TrustKeys | undefined,
): Promise<Verified> {
  const { task, workers = 1 } = options;
  const onProgress = (records: number): void => showProgress(context, `${count(records, "record")} verified`);
  if (task === undefined && workers > 1)
    return foundIn(await verifyStoreInParallel(context, url, keys, workers, onProgress));
  const trust = keys && toTrust(keys);
  const verifying = { onProgress, ...(trust && { trust: () => trust }) };
  return withStore(context, url, "read", async (store) =>
    task === undefined
      ? foundIn(await store.verify(undefined, verifying))
      : foundIn({ tasks: [await store.verify(task, { ...verifying, checkpoints })], storeProblems: [] }),
  );
}

function foundIn({ tasks, storeProblems }: Pick<StoreReport, "tasks" | "storeProblems">): Verified {
  const inTasks = tasks.flatMap((task) => task.storeProblems);
  // A row of a store has the fields of a record, and no others.
  return { chains: tasks, storeProblems: [...storeProblems, ...inTasks], uncovered: [], hasHashes: true };
}

async function verifyText(
  context: Context,
  file: string,
  options: VerifyOptions,
  checkpoints: Checkpoints,
): Promise<Verified> {
  const { task, workers = 1 } = options;
  const onProgress = (bytes: number): void => showProgress(context, `${(bytes / 1e6).toFixed(1)} MB verified`);
  const isShared = task === undefined && workers > 1 && file !== "-";
  const joined = isShared ? await verifyInParts(context, file, workers, onProgress) : undefined;
  const {
    tasks,
    unassigned,
    uncovered: all,
    hasHashes,
  } = joined ?? (await verifyTaskLines(counting(readTrailText(context, file), onProgress), { checkpoints }));
  const uncovered = task === undefined ? all : all.filter(({ taskId }) => taskId === task);
  const chains = chosenChains({ tasks, unassigned }, task, checkpoints);
  const isAltered = file !== "-" && tasks.length > 0 && [...tasks, unassigned].every(isAlteredThroughout);
  const otherRule = isAltered ? await findOtherRule(readTrailText(context, file)) : undefined;
  return { chains, storeProblems: [], uncovered, hasHashes, ...(otherRule !== undefined && { otherRule }) };
}

/** Returns whether the wrong hashes of all records are the only problems of a chain. */
function isAlteredThroughout({ counts, length, problemCount }: ChainReport): boolean {
  return counts.altered === length && problemCount === length;
}

function chosenChains(
  { tasks, unassigned }: Pick<TasksReport, "tasks" | "unassigned">,
  task: string | undefined,
  checkpoints: Checkpoints,
): readonly ChainReport[] {
  const chosen = task === undefined ? tasks : tasks.filter(({ taskId }) => taskId === task);
  if (task !== undefined && chosen.length === 0) {
    return [new ChainVerifier({ taskId: task, checkpoints: checkpoints(task) }).finish(), unassigned];
  }
  return unassigned.length === 0 ? chosen : [...chosen, unassigned];
}

async function* counting(
  chunks: AsyncIterable<Uint8Array>,
  onProgress: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  for await (const chunk of chunks) {
    yield chunk;
    bytes += chunk.length;
    onProgress(bytes);
  }
}

async function readCheckpoints(
  context: Context,
  files: readonly string[],
  keys: TrustKeys,
): Promise<readonly TreeHead[]> {
  const trust = toTrust(keys);
  return Promise.all(files.map(async (file) => verifyCheckpoint(await readText(context, file), trust)));
}
