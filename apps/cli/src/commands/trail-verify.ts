import type { ExitCode } from "@agentprint/findings";
import { type Command, InvalidArgumentError } from "commander";
import { addReportOptions } from "../report/report-options.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";
import { collect, positiveInteger } from "../terminal/option-parsers.ts";
import { type VerifyOptions, verify } from "../trail/verify.ts";

const MAX_WORKERS = 64;

export const examples: Examples = [
  ["agentprint trail verify file:trail.db", "every task of a store"],
  ["agentprint trail verify file:trail.db --workers 4", "many tasks, four at a time"],
  ["agentprint trail verify file:trail.db --key <key> --origin <origin>", "against the checkpoints in the store, too"],
  ["agentprint trail verify monday.jsonl tuesday.jsonl", "several files: the exit code is the worst one"],
  ["agentprint trail verify --format json < trail.jsonl", "for scripts"],
];

export function define(command: Command): void {
  command
    .argument("[source...]", "file:<path>, postgres://…, a JSON Lines file, or - for standard input, the default")
    .option("--task <id>", "verify this task only")
    .option("--checkpoint <file>", "a signed checkpoint that was kept elsewhere; may be repeated", collect)
    .option("--key <key>", "verifier key of the log that signed the checkpoints")
    .option("--origin <origin>", "the name of the log whose checkpoints count")
    .option("--witness <key>", "cosigner key of a witness; may be repeated", collect)
    .option("--event-key <file>", "the recorder's secret in hex, or its public key: events must be sealed and complete")
    .option("--threshold <n>", "how many witnesses must have cosigned", positiveInteger)
    .option(
      "--workers <n>",
      `threads that verify the tasks in parallel, at most ${MAX_WORKERS}; the report is the same`,
      workerCount,
      1,
    );
  addReportOptions(command);
}

export function run(context: Context, sources: readonly string[], options: VerifyOptions): Promise<ExitCode> {
  return verify(context, sources.length === 0 ? ["-"] : sources, options);
}

/** Commander argument parser: the number of workers, each with its own heap and connection. */
function workerCount(text: string): number {
  const workers = positiveInteger(text);
  if (workers > MAX_WORKERS) throw new InvalidArgumentError(`expected at most ${MAX_WORKERS}.`);
  return workers;
}
