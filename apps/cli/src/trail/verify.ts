import { exitCode } from "@agentprint/report";
import { type ChainReport, ChainVerifier, type TreeHead, verifyTaskLines } from "@agentprint/trail/chain";
import { createNoteVerifier, verifyCheckpoint } from "@agentprint/trail/checkpoint";
import { CliError } from "../errors.ts";
import { clearProgress, showProgress } from "../terminal/progress.ts";
import { type ReportOptions, writeReport } from "../terminal/write-report.ts";
import { isStoreUrl, readChunks, readText, withStore } from "./source.ts";
import { chainsToReport } from "./trail-report.ts";
import { verifyInShares, verifyStoreInParallel } from "./workers.ts";

type Checkpoints = (taskId: string) => readonly TreeHead[];

export interface VerifyOptions extends ReportOptions {
  readonly task?: string;
  readonly checkpoint?: readonly string[];
  readonly key?: string;
  readonly origin?: string;
  readonly witness?: readonly string[];
  readonly threshold?: number;
  readonly workers?: number;
}

/** Verifies a store, a JSON Lines file or standard input; returns the exit code. */
export async function verify(source: string, options: VerifyOptions): Promise<number> {
  const heads = await readCheckpoints(options);
  const checkpoints: Checkpoints = (taskId) => (taskId === options.task ? heads : []);
  const chains = isStoreUrl(source)
    ? await verifyStore(source, options, checkpoints)
    : await verifyText(source, options, checkpoints);
  clearProgress();
  const report = chainsToReport(chains, source, isStoreUrl(source) || source === "-" ? undefined : source);
  await writeReport(report, options);
  return exitCode(report);
}

async function verifyStore(
  url: string,
  options: VerifyOptions,
  checkpoints: Checkpoints,
): Promise<readonly ChainReport[]> {
  const { task, workers = 1 } = options;
  const onProgress = (records: number): void => showProgress(`${records} records verified`);
  if (task === undefined && workers > 1) return verifyStoreInParallel(url, workers, onProgress);
  return withStore(url, false, async (store) =>
    task === undefined
      ? (await store.verify(undefined, { onProgress })).tasks
      : [await store.verify(task, { checkpoints, onProgress })],
  );
}

async function verifyText(
  file: string,
  options: VerifyOptions,
  checkpoints: Checkpoints,
): Promise<readonly ChainReport[]> {
  const { task, workers = 1 } = options;
  const chunks = showingProgress(readChunks(file));
  const { tasks, unassigned } =
    task === undefined && workers > 1
      ? await verifyInShares(chunks, workers)
      : await verifyTaskLines(chunks, { checkpoints });
  const chosen = task === undefined ? tasks : tasks.filter(({ taskId }) => taskId === task);
  if (task !== undefined && chosen.length === 0) {
    return [new ChainVerifier({ taskId: task, checkpoints: checkpoints(task) }).finish(), unassigned];
  }
  return unassigned.length === 0 ? chosen : [...chosen, unassigned];
}

async function* showingProgress(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  for await (const chunk of chunks) {
    yield chunk;
    bytes += chunk.length;
    showProgress(`${(bytes / 1e6).toFixed(1)} MB verified`);
  }
}

async function readCheckpoints(options: VerifyOptions): Promise<readonly TreeHead[]> {
  const { checkpoint: files = [], task, key, origin, witness = [], threshold = 0 } = options;
  if (files.length === 0) return [];
  if (task === undefined || key === undefined || origin === undefined) {
    throw new CliError("usage", "a checkpoint is of one task and one log", {
      expected: "--task, --key and --origin beside --checkpoint",
      fix: "agentprint trail verify <source> --task <id> --checkpoint <file> --key <verifier key> --origin <origin>",
    });
  }
  const trust = { origin, log: createNoteVerifier(key), witnesses: witness.map(createNoteVerifier), threshold };
  return Promise.all(files.map(async (file) => verifyCheckpoint(await readText(file), trust)));
}
