import { escapeText } from "@agentprint/canonical-json/text";
import { count, EXIT, type ExitCode } from "@agentprint/findings";
import { createNoteSigner, createNoteVerifier, type NoteVerifier } from "@agentprint/trail/checkpoint";
import type { Partition, TrailStore } from "@agentprint/trail-store";
import { type Command, Option } from "commander";
import { formatJson } from "../files/format-json.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";
import { clearProgress, showProgress } from "../terminal/notices.ts";
import { collect, utcTime } from "../terminal/option-parsers.ts";
import { readText, withStore } from "../trail/source.ts";

interface PruneOptions {
  readonly before: string;
  readonly origin: string;
  readonly keyFile: string;
  readonly earlierKey?: readonly string[];
  readonly dryRun?: true;
  readonly drop?: true;
  readonly format: "json" | "text";
}

/** How far a run got. */
interface Pruned {
  readonly state: "planned" | "signed" | "dropped";
  readonly before: string;
  readonly partitions: readonly Partition[];
  readonly checkpoints: readonly { readonly taskId: string; readonly note: string }[];
}

const STORE = "postgres://db/trail";
const SIGN = "--before 2026-08-01 --origin example.com/trail --key-file secret.key";

export const examples: Examples = [
  [`agentprint trail prune ${STORE} ${SIGN} --dry-run`, "which partitions would be dropped; nothing is written"],
  [
    `agentprint trail prune ${STORE} ${SIGN} --format json > july.json`,
    "signs their records; keep a copy of the notes",
  ],
  [
    `agentprint trail prune ${STORE} ${SIGN} --drop`,
    "signs them, verifies that every record is covered, and drops them",
  ],
];

export function define(command: Command): void {
  command
    .argument("<store>", "postgres://…, a store that was created with partitions")
    .requiredOption(
      "--before <time>",
      "drop partitions that end at or before this time: 2026-08-01 or 2026-08-01T12:00:00Z, in UTC",
      utcTime,
    )
    .requiredOption("--origin <origin>", "the name of the log, by convention a URL without scheme")
    .requiredOption("--key-file <file>", "the secret key that keygen wrote")
    .option("--earlier-key <key>", "the verifier key of earlier checkpoints; may be repeated", collect)
    .addOption(new Option("--drop", "drop the partitions once their records are signed").conflicts("dryRun"))
    .option("--dry-run", "show what would be dropped, and write nothing")
    .addOption(new Option("--format <format>", "format of the report").choices(["text", "json"]).default("text"))
    .addHelpText("after", "\nThe exit code is 1 while there is something left to drop.");
}

export async function run(context: Context, url: string, options: PruneOptions): Promise<ExitCode> {
  const pruned = await withStore(context, url, options.dryRun ? "read" : "write", (store) =>
    prune(context, store, options),
  );
  context.stdout.write(options.format === "json" ? formatJson(pruned) : toText(pruned));
  return pruned.state === "dropped" || pruned.partitions.length === 0 ? EXIT.same : EXIT.drift;
}

async function prune(context: Context, store: TrailStore, options: PruneOptions): Promise<Pruned> {
  const { before, origin, keyFile, earlierKey = [], dryRun, drop } = options;
  const signer = createNoteSigner((await readText(context, keyFile)).trim());
  const log = signer.verifier as NoteVerifier;
  const signing = { origin, signers: [signer], verifiers: [log, ...earlierKey.map(createNoteVerifier)] };
  const partitions = await store.partitionsBefore(before);
  const end = partitions.at(-1)?.to;
  if (dryRun || end === undefined) return { state: "planned", before, partitions, checkpoints: [] };
  const checkpoints: { taskId: string; note: string }[] = [];
  for await (const checkpoint of store.checkpointBefore(end, () => signing)) {
    checkpoints.push(checkpoint);
    showProgress(context, `${count(checkpoints.length, "task")} signed`);
  }
  clearProgress(context);
  if (drop) await store.dropBefore(end, () => ({ origin, log }));
  return { state: drop ? "dropped" : "signed", before, partitions, checkpoints };
}

function toText({ state, before, partitions, checkpoints }: Pruned): string {
  if (partitions.length === 0) return `no partition ends at or before ${before}: nothing to drop\n`;
  const lines = partitions.map(
    ({ name, from, to, records }) =>
      `${name}: ${count(records, "record")}, stored from ${from ?? "the beginning"} to ${to}`,
  );
  const signed = `${count(checkpoints.length, "task")} signed up to there`;
  const next = {
    planned: "nothing was signed or dropped: run it without --dry-run",
    signed: `${signed}; nothing was dropped: run it again with --drop`,
    dropped: `${signed}; ${count(partitions.length, "partition")} dropped`,
  };
  return [...lines, next[state]].map((line) => `${escapeText(line)}\n`).join("");
}
