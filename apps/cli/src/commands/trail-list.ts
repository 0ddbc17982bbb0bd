import { EXIT, type ExitCode } from "@agentprint/findings";
import { formatThoughtLine } from "@agentprint/trail/chain";
import type { Command } from "commander";
import { formatJson } from "../files/format-json.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";
import { positiveInteger, wholeNumber } from "../terminal/option-parsers.ts";
import { requireTask, withStore } from "../trail/source.ts";

interface ListOptions {
  readonly task?: string;
  readonly after?: number;
  readonly limit: number;
}

export const examples: Examples = [
  ["agentprint trail list file:trail.db", "the tasks, one per line"],
  ["agentprint trail list file:trail.db --task t1 --after 99", "the records after the one with the index 99"],
];

export function define(command: Command): void {
  command
    .argument("<store>", "file:<path> or postgres://…")
    .option("--task <id>", "print the records of this task")
    .option("--after <index>", "begin after the record with this index", wholeNumber)
    .option("--limit <n>", "the maximum number of records to print", positiveInteger, 100);
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
