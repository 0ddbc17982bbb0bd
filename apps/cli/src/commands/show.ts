import { EXIT, type ExitCode } from "@agentprint/findings";
import type { LaunchCoverage } from "@agentprint/launch";
import { coverageOfEntry, type LockedServer, type LockedTool } from "@agentprint/mcp-lock/lock";
import type { Command } from "commander";
import { formatJson } from "../files/format-json.ts";
import { writeEntry, writeTool } from "../lock/entry-text.ts";
import { findEntry } from "../lock/find-entry.ts";
import { readLock } from "../lock/read-lock.ts";
import { addLockOptions, type LockOptions } from "../options/lock-options.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";
import { unknownName } from "../terminal/unknown-name.ts";

export const examples: Examples = [
  ["agentprint show files", "everything that the lock file holds about a server"],
  ["agentprint show files read_file", "one tool: its definition, and the digest of each of its layers"],
  ["agentprint show files read_file --format json | jq '.definitions[].digests.contract'", "for scripts"],
];

export function define(command: Command): void {
  command.argument("<server>", "name in the lock file").argument("[tool]", "name of a tool of this server");
  addLockOptions(command);
}

export async function run(
  context: Context,
  server: string,
  tool: string | undefined,
  { lock: file, format }: LockOptions,
): Promise<ExitCode> {
  const { lock } = await readLock(context, file);
  const entry = findEntry(lock, server, file);
  if (tool === undefined) {
    if (format === "json")
      context.stdout.write(formatJson({ ...withCoverage(entry), ...(lock.policy && { policy: lock.policy }) }, 2));
    else writeEntry(context, entry, lock.policy);
    return EXIT.same;
  }
  const definitions = findTool(entry, tool);
  if (format === "json") context.stdout.write(formatJson({ server, tool, definitions }, 2));
  else for (const definition of definitions) writeTool(context, definition);
  return EXIT.same;
}

/** Returns the entry with its coverage, computed if the entry has none. */
function withCoverage(entry: LockedServer): LockedServer & { readonly coverage?: LaunchCoverage } {
  const coverage = coverageOfEntry(entry);
  return coverage === undefined ? entry : { ...entry, coverage };
}

/** Returns the definitions of a tool: several if sessions were shown different ones. */
function findTool({ name: server, tools }: LockedServer, name: string): readonly LockedTool[] {
  const found = tools.filter(({ definition }) => definition["name"] === name);
  if (found.length > 0) return found;
  const names = [...new Set(tools.map(({ definition }) => String(definition["name"])))];
  throw unknownName(`${server} has no pinned tool ${name}`, name, names);
}
