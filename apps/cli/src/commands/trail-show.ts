import { openEnvelope, readEvents } from "@agentprint/recorder/events";
import { EXIT, type ExitCode } from "@agentprint/report";
import { formatThoughtLine, parseThoughtLines, type RecordSource } from "@agentprint/trail/chain";
import type { ThoughtRecord } from "@agentprint/trail/record";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import { formatJson } from "../json/format-json.ts";
import type { Examples } from "../terminal/examples.ts";
import { readEventKey } from "../trail/event-key.ts";
import { isStoreUrl, refuseOtherUrls, requireRecord, requireTask, withStore } from "../trail/source.ts";
import { readTrailText } from "../trail/trail-text.ts";

interface ShowOptions {
  readonly task?: string;
  readonly eventKey?: string;
}

export const examples: Examples = [
  ["agentprint trail show file:trail.db r1", "one record"],
  ["agentprint trail show file:trail.db --task s1 --event-key recorder.key", "what was recorded, and what is missing"],
  ["agentprint trail show trails/s1.jsonl --event-key recorder.key", "the same from a file"],
];

export function define(command: Command): void {
  command
    .argument(
      "<source>",
      "file:<path> or postgres://…; with --event-key also a JSON Lines file, or - for standard input",
    )
    .argument("[id]", "the id of one record of a store")
    .option("--task <id>", "show a task of a store instead of one record")
    .option(
      "--event-key <file>",
      "the recorder's secret in hex, or its public key: what it sealed is shown as an event",
    );
}

export async function run(
  context: Context,
  source: string,
  id: string | undefined,
  options: ShowOptions,
): Promise<ExitCode> {
  refuseOtherUrls(source);
  checkOptions(source, id, options);
  const key = options.eventKey === undefined ? undefined : await readEventKey(context, options.eventKey);
  const keys = key === undefined ? [] : [key];
  const showAll = async (records: RecordSource): Promise<void> => {
    // One line for each thing that a reader finds: an event, a text, or what is missing.
    for await (const entry of readEvents(records, { keys })) context.stdout.write(formatJson(entry));
  };
  if (id === undefined && !isStoreUrl(source)) await showAll(parseThoughtLines(readTrailText(context, source)));
  else {
    await withStore(context, source, "read", async (store) => {
      if (id === undefined) {
        const task = options.task as string;
        await requireTask(store, task);
        await showAll(store.read(task));
      } else {
        const record: ThoughtRecord = await requireRecord(store, id);
        const text = key ? formatJson({ ...openEnvelope(record, keys), record }) : formatThoughtLine(record);
        context.stdout.write(text);
      }
    });
  }
  return EXIT.same;
}

/** @throws {@link CliError} `usage` when it is not one record of a store, nor a whole task or file with a key */
function checkOptions(source: string, id: string | undefined, { task, eventKey }: ShowOptions): void {
  const isRecord = id !== undefined && task === undefined;
  const isWhole = id === undefined && eventKey !== undefined && isStoreUrl(source) === (task !== undefined);
  if (!isRecord && !isWhole) {
    throw new CliError("usage", "that is not one record, nor a whole task or file with the key of its recorder", {
      expected: "a store and the id of a record; a store, --task and --event-key; or a file and --event-key",
      fix: "agentprint trail show <store> --task <id> --event-key <file>",
    });
  }
}
