import { EXIT, type ExitCode } from "@agentprint/findings";
import { createInclusionProof } from "@agentprint/trail/checkpoint";
import type { Command } from "commander";
import { formatJson } from "../files/format-json.ts";
import type { Context } from "../run/context.ts";
import { positiveInteger } from "../terminal/option-parsers.ts";
import { requireRecord, withStore } from "../trail/source.ts";

export function define(command: Command): void {
  command
    .argument("<store>", "file:<path> or postgres://…")
    .argument("<id>", "the record's id")
    .option("--task <id>", "the record's task; needed if several tasks have a record with the id")
    .option("--size <n>", "size of the checkpoint; default: the whole chain", positiveInteger);
}

export async function run(
  context: Context,
  url: string,
  id: string,
  { size, task }: { readonly size?: number; readonly task?: string },
): Promise<ExitCode> {
  await withStore(context, url, "read", async (store) => {
    const record = await requireRecord(store, id, task);
    const hashes: string[] = [];
    for await (const { hash } of store.read(record.task_id)) hashes.push(hash);
    const proof = await createInclusionProof(hashes, hashes.indexOf(record.hash), size ?? hashes.length);
    context.stdout.write(formatJson({ recordHash: record.hash, ...proof }));
  });
  return EXIT.same;
}
