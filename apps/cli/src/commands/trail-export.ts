import { EXIT, type ExitCode } from "@agentprint/findings";
import type { TrailStore } from "@agentprint/trail-store";
import { type Command, Option } from "commander";
import { replaceFile } from "../files/replace-file.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";
import { requireTask, withoutPassword, withStore } from "../trail/source.ts";
import type { TrailRow } from "../trail/trail-rows.ts";

export const examples: Examples = [
  ["agentprint trail export file:trail.db > trail.jsonl", "the records, one per line"],
  ["agentprint trail export file:trail.db --parquet trail.parquet", "for DuckDB, Spark and other engines"],
];

interface ExportOptions {
  readonly task?: string;
  readonly columns?: true;
  readonly parquet?: string;
}

export function define(command: Command): void {
  const parquet = "write these columns to a Parquet file";
  command
    .argument("<store>", "file:<path> or postgres://…")
    .option("--task <id>", "export this task only")
    .option("--columns", "write each record as text, in a row with its store, task and position")
    .addOption(new Option("--parquet <file>", parquet).conflicts("columns"));
}

export async function run(context: Context, url: string, { task, columns, parquet }: ExportOptions): Promise<ExitCode> {
  await withStore(context, url, "read", async (store, written) => {
    const write = (line: string): void => {
      written();
      context.stdout.write(line);
    };
    if (task !== undefined) await requireTask(store, task);
    if (parquet !== undefined) {
      const { parquetOf } = await import("../trail/trail-rows.ts");
      await replaceFile(context, parquet, parquetOf(rowsOf(store, url, task)));
    } else if (columns) {
      for await (const row of rowsOf(store, url, task)) write(`${JSON.stringify(row)}\n`);
    } else {
      for await (const line of store.export(task)) write(line);
    }
  });
  return EXIT.same;
}

async function* rowsOf(store: TrailStore, url: string, task: string | undefined): AsyncGenerator<TrailRow, void> {
  for await (const row of store.exportRows(task)) yield { store: withoutPassword(url), ...row };
}
