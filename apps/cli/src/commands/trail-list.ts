import { EXIT, type ExitCode } from "@agentprint/report";
import { formatThoughtLine } from "@agentprint/trail/chain";
import { type Command, InvalidArgumentError } from "commander";
import type { Context } from "../context.ts";
import { formatJson } from "../json/format-json.ts";
import { positiveInteger } from "../option-parsers.ts";
import { requireTask, withStore } from "../trail/source.ts";

interface ListOptions {
  readonly task?: string;
  readonly after?: number;
  readonly limit: number;
}

export function define(command: Command): void {
  command
    .argument("<store>", "file:<path> or postgres://…")
    .option("--task <id>", "records of this task")
    .option("--after <index>", "records behind this index", recordIndex)
    .option("--limit <n>", "how many records", positiveInteger, 100);
}

export async function run(context: Context, url: string, { task, ...page }: ListOptions): Promise<ExitCode> {
  const { stdout } = context;
  await withStore(context, url, "read", async (store) => {
    if (task === undefined) {
      for await (const entry of store.tasks()) stdout.write(formatJson(entry));
      return;
    }
    await requireTask(store, task);
    for (const record of (await store.list(task, page)).records) stdout.write(formatThoughtLine(record));
  });
  return EXIT.same;
}

/** Commander argument parser. */
function recordIndex(text: string): number {
  const index = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(index)) throw new InvalidArgumentError("expected a whole number.");
  return index;
}
