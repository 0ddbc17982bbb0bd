import { exitCode } from "@agentprint/report";
import { type ChainReport, parseThoughtLines, type TreeHead, verifyTasks } from "@agentprint/trail/chain";
import { createNoteVerifier, verifyCheckpoint } from "@agentprint/trail/checkpoint";
import { CliError } from "../errors.ts";
import { clearProgress, showProgress } from "../terminal/progress.ts";
import { type ReportOptions, writeReport } from "../terminal/write-report.ts";
import { isStoreUrl, readChunks, readText, withStore } from "./source.ts";
import { chainsToReport } from "./trail-report.ts";

export interface VerifyOptions extends ReportOptions {
  readonly task?: string;
  readonly checkpoint?: readonly string[];
  readonly key?: string;
  readonly origin?: string;
  readonly witness?: readonly string[];
  readonly threshold?: number;
}

/** Verifies a store, a JSON Lines file or standard input; returns the exit code. */
export async function verify(source: string, options: VerifyOptions): Promise<number> {
  const heads = await readCheckpoints(options);
  const checkpoints = (taskId: string): readonly TreeHead[] => (taskId === options.task ? heads : []);
  const chains = isStoreUrl(source)
    ? await verifyStore(source, options.task, checkpoints)
    : await verifyText(source, options.task, checkpoints);
  clearProgress();
  const report = chainsToReport(chains, source, isStoreUrl(source) || source === "-" ? undefined : source);
  await writeReport(report, options);
  return exitCode(report);
}

async function verifyStore(
  url: string,
  task: string | undefined,
  checkpoints: (taskId: string) => readonly TreeHead[],
): Promise<readonly ChainReport[]> {
  const onProgress = (records: number): void => showProgress(`${records} records verified`);
  return withStore(url, false, async (store) =>
    task === undefined
      ? (await store.verify(undefined, { onProgress })).tasks
      : [await store.verify(task, { checkpoints, onProgress })],
  );
}

async function verifyText(
  file: string,
  task: string | undefined,
  checkpoints: (taskId: string) => readonly TreeHead[],
): Promise<readonly ChainReport[]> {
  let records = 0;
  async function* counted(): AsyncGenerator<unknown, void> {
    for await (const record of parseThoughtLines(readChunks(file))) {
      if (++records % 10_000 === 0) showProgress(`${records} records verified`);
      yield record;
    }
  }
  const { tasks, unassigned } = await verifyTasks(counted(), { checkpoints });
  const chosen = task === undefined ? tasks : tasks.filter(({ taskId }) => taskId === task);
  if (task !== undefined && chosen.length === 0) {
    const { ChainVerifier } = await import("@agentprint/trail/chain");
    return [new ChainVerifier({ taskId: task, checkpoints: checkpoints(task) }).finish(), unassigned];
  }
  return unassigned.length === 0 ? chosen : [...chosen, unassigned];
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
