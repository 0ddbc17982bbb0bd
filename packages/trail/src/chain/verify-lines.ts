import { checkArgument } from "../check-argument.ts";
import type { ChainReport } from "./chain-report.ts";
import { ChainVerifier, type VerifyChainOptions } from "./chain-verifier.ts";
import { type ByteSource, LineReader } from "./thought-lines.ts";
import { type UncoveredMembers, UncoveredMembersLog } from "./uncovered-members.ts";
import { type TasksReport, TasksVerifier, type VerifyTasksOptions } from "./verify-tasks.ts";

/** The report of `verifyTaskLines`. */
export interface TaskLinesReport extends TasksReport {
  /** The records with additional members, which no hash covers; they are not problems. At most `maxProblems`. */
  readonly uncovered: readonly UncoveredMembers[];
  /** Whether any line has a record's hash members, `hash` and `prev_hash`; if not, the text is not a trail. */
  readonly hasHashes: boolean;
}

/**
 * Verifies the JSON Lines text of one task faster than {@link verifyChain} with `parseThoughtLines`, and with the same
 * result. The text arrives in pieces of UTF-8.
 *
 * @throws {@link TrailError} `line-too-long` when a line has more than 64 MiB, `invalid-checkpoint`; and any error of
 * `chunks` itself.
 *
 * @example
 * ```ts
 * import { createReadStream } from "node:fs";
 * import { verifyThoughtLines } from "@agentprint/trail/chain";
 *
 * const report = await verifyThoughtLines(createReadStream("trail.jsonl"));
 * ```
 */
export async function verifyThoughtLines(chunks: ByteSource, options: VerifyChainOptions = {}): Promise<ChainReport> {
  checkArgument("chunks", chunks, "iterable");
  checkArgument("options", options, "object");
  const verifier = new ChainVerifier(options);
  await pushLines(chunks, verifier);
  return verifier.finish();
}

/**
 * Verifies the JSON Lines text of many tasks faster than {@link verifyTasks} with `parseThoughtLines`, and with the
 * same result. The text arrives in pieces of UTF-8. Also lists the lines with members that no hash covers.
 *
 * @throws {@link TrailError} `too-many-tasks` when there are more than `maxTasks`, `line-too-long` when a line has more
 * than 64 MiB; and any error of `chunks` itself.
 *
 * @example
 * ```ts
 * import { createReadStream } from "node:fs";
 * import { verifyTaskLines } from "@agentprint/trail/chain";
 *
 * const { ok } = await verifyTaskLines(createReadStream("trail.jsonl"));
 * ```
 */
export async function verifyTaskLines(chunks: ByteSource, options: VerifyTasksOptions = {}): Promise<TaskLinesReport> {
  checkArgument("chunks", chunks, "iterable");
  checkArgument("options", options, "object");
  const verifier = new TasksVerifier(options);
  const log = new UncoveredMembersLog(options.maxProblems);
  let hasHashes = false;
  await pushLines(chunks, {
    push(value) {
      verifier.push(value);
      log.push(value);
      hasHashes ||= isHashed(value);
    },
  });
  return { ...verifier.finish(), uncovered: log.found, hasHashes };
}

function isHashed(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && Object.hasOwn(value, "hash") && Object.hasOwn(value, "prev_hash")
  );
}

async function pushLines(chunks: ByteSource, verifier: { push(value: unknown): void }): Promise<void> {
  const reader = new LineReader();
  for await (const chunk of chunks) for (const value of reader.read(chunk)) verifier.push(value);
  for (const value of reader.end()) verifier.push(value);
}
