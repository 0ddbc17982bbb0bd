import { escapeText } from "@agentprint/canonical-json/text";
import { EXIT, type ExitCode } from "@agentprint/findings";
import type { Command } from "commander";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { confirm } from "../terminal/confirm.ts";
import type { Examples } from "../terminal/examples.ts";
import { openKeyFolder } from "../trail/key-folder.ts";

export const examples: Examples = [
  [
    "agentprint trail erase content-keys s1",
    "nobody can read the contents of task s1 any more; its chain stays intact",
  ],
];

export function define(command: Command): void {
  command
    .argument("<content-keys>", "the folder in which a recorder keeps the keys of contents")
    .argument("<task>", "the task whose key is deleted");
}

export async function run(context: Context, folder: string, task: string): Promise<ExitCode> {
  const keys = await openKeyFolder(context, folder);
  if ((await keys.get(task)) === undefined) refuse(task, folder);
  if (!(await confirm(context, `Erase the contents of task ${task}? They cannot be brought back.`, true))) {
    throw new CliError("ended", "nothing was erased");
  }
  if (!(await keys.delete(task))) refuse(task, folder);
  const where = escapeText(`task ${task}: its key is deleted from ${folder}`);
  context.stdout.write(`Erased the contents of ${where}. Delete it from backups, too. The chain stays intact.\n`);
  return EXIT.same;
}

function refuse(task: string, folder: string): never {
  throw new CliError("unreadable-input", `${folder} has no key for task ${task}`, {
    expected: "a task whose contents were encrypted and have not been erased",
  });
}
