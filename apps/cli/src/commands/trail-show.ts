import { EXIT, type ExitCode } from "@agentprint/findings";
import { type EventVerifier, openEnvelope } from "@agentprint/recorder/events";
import { formatThoughtLine } from "@agentprint/trail/chain";
import { type Command, Option } from "commander";
import { formatJson } from "../files/format-json.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import type { Examples } from "../terminal/examples.ts";
import { collect, positiveInteger } from "../terminal/option-parsers.ts";
import { readEventKey } from "../trail/event-key.ts";
import { refuseOtherUrls, requireRecord, withStore } from "../trail/source.ts";
import type { RunOptions } from "../trail-show/read-run.ts";

interface ShowOptions extends RunOptions {
  readonly eventKey?: string;
  readonly format: "json" | "text";
  readonly html?: string;
}

export const examples: Examples = [
  ["agentprint trail show trails/s1.jsonl --event-key recorder.key", "the run as a timeline, and whether it is intact"],
  ["agentprint trail show trails/s1.jsonl --event-key recorder.key --html run.html", "the same as a page to send"],
  ["agentprint trail show file:trail.db --task s1 --key <key> --origin <origin>", "one task, and its anchors"],
  ["agentprint trail show file:trail.db r1", "one record"],
];

export function define(command: Command): void {
  command
    .argument("<source>", "file:<path>, postgres://…, a JSON Lines file, or - for standard input")
    .argument("[id]", "the id of one record of a store, which is printed as JSON")
    .option("--task <id>", "show this task only, or the record of this task")
    .option(
      "--event-key <file>",
      "the recorder's secret in hex, or its public key: records sealed with it are shown as events",
    )
    .option("--content-keys <folder>", "the keys that decrypt contents; a page never contains decrypted contents")
    .option("--html <file>", "write the timeline as one page that needs no network and verifies itself")
    .option("--checkpoint <file>", "a signed checkpoint that was kept elsewhere; may be repeated", collect)
    .option("--key <key>", "verifier key of the log that signed the checkpoints")
    .option("--origin <origin>", "the name of the log whose checkpoints count")
    .option("--witness <key>", "cosigner key of a witness; may be repeated", collect)
    .option("--threshold <n>", "how many witnesses must have cosigned", positiveInteger)
    .addOption(new Option("--format <format>", "format of the timeline").choices(["text", "json"]).default("text"));
}

export async function run(
  context: Context,
  source: string,
  id: string | undefined,
  options: ShowOptions,
): Promise<ExitCode> {
  refuseOtherUrls(source);
  const keys = options.eventKey === undefined ? [] : [await readEventKey(context, options.eventKey)];
  if (id !== undefined) return showRecord(context, source, id, keys, options);
  const { showRun } = await import("../trail-show/show-run.ts");
  return showRun(context, source, options, keys);
}

async function showRecord(
  context: Context,
  source: string,
  id: string,
  keys: readonly EventVerifier[],
  { task, html }: ShowOptions,
): Promise<ExitCode> {
  if (html !== undefined) {
    throw new CliError("usage", "an id names one record of a store", {
      expected: "the id without --html, or --html without the id",
      fix: "agentprint trail show <source> --html <file>",
    });
  }
  const record = await withStore(context, source, "read", (store) => requireRecord(store, id, task));
  const isOpened = keys.length > 0;
  context.stdout.write(isOpened ? formatJson({ ...openEnvelope(record, keys), record }) : formatThoughtLine(record));
  return EXIT.same;
}
