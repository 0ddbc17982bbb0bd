import { EXIT, type ExitCode } from "@agentprint/findings";
import { escapeText } from "@agentprint/report";
import type { Command } from "commander";
import { formatJson } from "../files/format-json.ts";
import { itemsInWords, launchInWords, sessionsInWords, summarizeEntry } from "../lock/entry-summary.ts";
import { readLock } from "../lock/read-lock.ts";
import { addLockOptions, type LockOptions } from "../options/lock-options.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";

export const examples: Examples = [
  ["agentprint list", "every pinned server, with its launch, tools and digests"],
  ["agentprint list --format json | jq -r '.servers[].name'", "their names"],
];

export function define(command: Command): void {
  addLockOptions(command);
}

export async function run(context: Context, { lock: file, format }: LockOptions): Promise<ExitCode> {
  const { servers } = (await readLock(context, file)).lock;
  const { stdout } = context;
  if (format === "json") {
    stdout.write(formatJson({ lock: file, servers: servers.map(summarizeEntry) }));
    return EXIT.same;
  }
  if (servers.length === 0) stdout.write(`no server is pinned in ${escapeText(file)}\n`);
  const { bold, dim } = context.colorsOf(stdout);
  for (const entry of servers) {
    stdout.write(`${bold(escapeText(entry.name))} ${itemsInWords(entry)}\n`);
    stdout.write(`  ${launchInWords(entry)}\n`);
    stdout.write(`  ${dim(escapeText(sessionsInWords(entry)))}\n`);
    stdout.write(`  ${dim(`digest ${entry.digest}`)}\n  ${dim(`tools  ${entry.toolsDigest}`)}\n`);
  }
  return EXIT.same;
}
