import { hashedText } from "../record/digest.ts";
import type { ChainReport } from "./chain-report.ts";
import { ChainVerifier, type VerifyChainOptions } from "./chain-verifier.ts";
import { type ByteSource, parseBlocks } from "./thought-lines.ts";
import { type TasksReport, TasksVerifier, type VerifyTasksOptions } from "./verify-tasks.ts";

/**
 * Verifies the JSON Lines text of one task, which comes in pieces of UTF-8: {@link verifyChain} of
 * `parseThoughtLines`, and faster.
 *
 * @throws {@link TrailError} `line-too-long` when a line has more than 64 MiB, `invalid-checkpoint`; and the error of
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
export async function verifyThoughtLines(
  chunks: ByteSource,
  options: VerifyChainOptions & VerifyLinesOptions = {},
): Promise<ChainReport> {
  const verifier = new ChainVerifier(options);
  await pushLines(chunks, options.hashTexts, (value, computed) => verifier.push(value, undefined, computed));
  return verifier.finish();
}

/**
 * Verifies the JSON Lines text of many tasks, which comes in pieces of UTF-8: {@link verifyTasks} of
 * `parseThoughtLines`, and faster.
 *
 * @throws {@link TrailError} `too-many-tasks` when there are more than `maxTasks`, `line-too-long` when a line has more
 * than 64 MiB; and the error of `chunks` itself.
 *
 * @example
 * ```ts
 * import { createReadStream } from "node:fs";
 * import { verifyTaskLines } from "@agentprint/trail/chain";
 *
 * const { ok } = await verifyTaskLines(createReadStream("trail.jsonl"));
 * ```
 */
export async function verifyTaskLines(
  chunks: ByteSource,
  options: VerifyTasksOptions & VerifyLinesOptions = {},
): Promise<TasksReport> {
  const verifier = new TasksVerifier(options);
  await pushLines(chunks, options.hashTexts, (value, computed) => verifier.push(value, computed));
  return verifier.finish();
}

/** How the text of a trail is verified. */
export interface VerifyLinesOptions {
  /**
   * Hashes the records in another place, such as a worker, while the next ones are read. It takes texts and gives SHA-256 of the
   * UTF-8 of each as 64 lowercase hex digits, in their order; what it gives is believed.
   */
  readonly hashTexts?: HashTexts;
}

type HashTexts = (texts: readonly string[]) => Promise<readonly string[]>;

/** Takes the next record, and its hash where it was computed already. */
type Push = (value: unknown, computed?: string) => void;

async function pushLines(chunks: ByteSource, hashTexts: HashTexts | undefined, push: Push): Promise<void> {
  if (hashTexts === undefined) {
    for await (const values of parseBlocks(chunks)) for (const value of values) push(value);
    return;
  }
  let before: Batch | undefined;
  for await (const values of parseBlocks(chunks)) {
    const next = startHashing(values, hashTexts);
    if (before !== undefined) await pushBatch(before, push);
    before = next;
  }
  if (before !== undefined) await pushBatch(before, push);
}

/** Values whose hashes are being computed; a value that is hashed when it is verified has no text. */
interface Batch {
  readonly values: readonly unknown[];
  readonly texts: readonly string[];
  readonly hashes: Promise<readonly string[]>;
}

function startHashing(values: readonly unknown[], hashTexts: HashTexts): Batch {
  const texts = values.map((value) => hashedText(value) ?? "");
  const hashes = hashTexts(texts);
  // Whoever stops reading leaves these behind; a failure is told when they are awaited.
  hashes.catch(() => {});
  return { values, texts, hashes };
}

async function pushBatch({ values, texts, hashes }: Batch, push: Push): Promise<void> {
  const computed = await hashes;
  for (const [index, value] of values.entries()) push(value, texts[index] === "" ? undefined : computed[index]);
}
