import { EXIT, type ExitCode } from "@agentprint/report";
import { formatThoughtLine } from "@agentprint/trail/chain";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { requireRecord, withStore } from "../trail/source.ts";

export function define(command: Command): void {
  command.argument("<store>", "file:<path> or postgres://…").argument("<id>", "the id of the record");
}

export async function run(context: Context, url: string, id: string): Promise<ExitCode> {
  const record = await withStore(context, url, "read", (store) => requireRecord(store, id));
  context.stdout.write(formatThoughtLine(record));
  return EXIT.same;
}
