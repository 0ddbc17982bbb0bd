import { EXIT, type ExitCode } from "@agentprint/findings";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { requireTask, withStore } from "../trail/source.ts";

export function define(command: Command): void {
  command.argument("<store>", "file:<path> or postgres://…").option("--task <id>", "export this task only");
}

export async function run(context: Context, url: string, { task }: { readonly task?: string }): Promise<ExitCode> {
  await withStore(context, url, "read", async (store) => {
    if (task !== undefined) await requireTask(store, task);
    for await (const line of store.export(task)) context.stdout.write(line);
  });
  return EXIT.same;
}
