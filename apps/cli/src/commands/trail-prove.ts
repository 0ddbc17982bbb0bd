import { EXIT, type ExitCode } from "@agentprint/findings";
import {
  createInclusionProof,
  isHeadOfDropped,
  parseCheckpoint,
  parseNote,
  type RangeHead,
} from "@agentprint/trail/checkpoint";
import type { Command } from "commander";
import { formatJson } from "../files/format-json.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import type { Examples } from "../terminal/examples.ts";
import { positiveInteger } from "../terminal/option-parsers.ts";
import { requireRecord, withStore } from "../trail/source.ts";
import { openTask } from "../trail/stored-task.ts";

export const examples: Examples = [
  ["agentprint trail prove file:trail.db r7 > r7.proof", "that the record r7 is in the current chain"],
  ["agentprint trail prove file:trail.db r7 --size 100", "that it is among the first 100 records of its task"],
];

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
    const { dropped, read } = await openTask(store, record.task_id);
    const hashes: string[] = [];
    let before: string | undefined;
    for await (const { hash, prev_hash } of read()) {
      before ??= prev_hash;
      hashes.push(hash);
    }
    const behind = dropped === 0 ? undefined : droppedHead(await store.checkpoints(record.task_id), dropped, before);
    const index = dropped + hashes.indexOf(record.hash);
    const proof = await createInclusionProof(hashes, index, size ?? dropped + hashes.length, behind);
    context.stdout.write(formatJson({ recordHash: record.hash, ...proof }));
  });
  return EXIT.same;
}

/** Returns the head of the dropped records, which a proof of later records needs. */
function droppedHead(notes: readonly string[], dropped: number, before: string | undefined): RangeHead {
  const heads = notes.map((note) => parseCheckpoint(parseNote(note).text));
  const head = heads.find((each): each is typeof each & RangeHead => isHeadOfDropped(each, dropped, before));
  if (head) return head;
  throw new CliError(
    "unreadable-input",
    `${dropped} records of the task were dropped, and no stored checkpoint covers exactly these`,
    {
      expected: "the checkpoint that agentprint trail prune signed before it dropped them",
    },
  );
}
