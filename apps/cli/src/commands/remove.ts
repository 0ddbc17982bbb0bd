import { count, EXIT, type ExitCode } from "@agentprint/findings";
import { type LockedServer, withoutServer } from "@agentprint/mcp-lock/lock";
import { escapeText } from "@agentprint/report";
import type { Command } from "commander";
import { formatJson } from "../files/format-json.ts";
import { itemsInWords, launchInWords, summarizeEntry } from "../lock/entry-summary.ts";
import { findEntry } from "../lock/find-entry.ts";
import { missingLock } from "../lock/read-lock.ts";
import { updateLock } from "../lock/update-lock.ts";
import { addLockOptions, type LockOptions } from "../options/lock-options.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";

export const examples: Examples = [
  ["agentprint remove files", "remove the entry of one server from the lock file"],
  ["agentprint remove files memory", "of several, all of them or none"],
  ["agentprint remove -- -x", "of a server whose name begins with -"],
];

export function define(command: Command): void {
  command.argument("<server...>", "names in the lock file");
  addLockOptions(command);
}

export async function run(
  context: Context,
  names: readonly string[],
  { lock: file, format }: LockOptions,
): Promise<ExitCode> {
  const removed: LockedServer[] = [];
  const lock = await updateLock(context, file, (before) => {
    if (before === undefined) throw missingLock(file);
    removed.push(...[...new Set(names)].map((name) => findEntry(before, name, file)));
    return removed.reduce((rest, { name }) => withoutServer(rest, name), before);
  });
  if (format === "json") {
    context.stdout.write(formatJson({ lock: file, removed: removed.map(summarizeEntry) }));
    return EXIT.same;
  }
  const { bold, dim, yellow } = context.colorsOf(context.stdout);
  for (const entry of removed) {
    context.stdout.write(`${yellow("removed")} ${bold(escapeText(entry.name))} ${itemsInWords(entry)}\n`);
    context.stdout.write(`  ${launchInWords(entry)}\n  ${dim(`digest ${entry.digest}`)}\n`);
  }
  const { length } = lock.servers;
  context.stdout.write(
    `${dim(`${escapeText(file)} holds ${length === 0 ? "no server" : count(length, "server")} now`)}\n`,
  );
  return EXIT.same;
}
