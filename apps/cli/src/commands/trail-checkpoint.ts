import { EXIT, type ExitCode } from "@agentprint/findings";
import { createNoteSigner } from "@agentprint/trail/checkpoint";
import type { Command } from "commander";
import { replaceFile } from "../files/replace-file.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";
import { readText, requireTask, withStore } from "../trail/source.ts";

interface CheckpointOptions {
  readonly task: string;
  readonly origin: string;
  readonly keyFile: string;
  readonly authors: boolean;
  readonly output?: string;
}

export const examples: Examples = [
  [
    "agentprint trail checkpoint file:trail.db --task t1 --origin log.example.com/trails --key-file log.key -o t1.note",
    "sign the records that the task has now",
  ],
];

export function define(command: Command): void {
  command
    .argument("<store>", "file:<path> or postgres://…")
    .requiredOption("--task <id>", "the task whose chain is signed")
    .requiredOption("--origin <origin>", "the name of the log, by convention a URL without scheme")
    .requiredOption("--key-file <file>", "the secret key that keygen wrote")
    .option("--authors", "also cover the agent that wrote each record", false)
    .option("-o, --output <file>", "write the note to a file instead of standard output");
}

export async function run(context: Context, url: string, options: CheckpointOptions): Promise<ExitCode> {
  const { task, origin, keyFile, authors, output } = options;
  const signers = [createNoteSigner((await readText(context, keyFile)).trim())];
  const note = await withStore(context, url, "write", async (store) => {
    await requireTask(store, task);
    return store.checkpoint(task, { origin, signers, authors });
  });
  if (output === undefined) context.stdout.write(note);
  else await replaceFile(context, output, note);
  return EXIT.same;
}
