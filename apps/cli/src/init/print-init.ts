import { count } from "@agentprint/findings";
import { redactLaunch } from "@agentprint/launch/redact";
import type { LockedServer } from "@agentprint/mcp-lock";
import { escapeText } from "@agentprint/report";
import type { FoundServer, FoundServers } from "../clients/find-servers.ts";
import { changedLines, type FilePlan } from "../files/planned-file.ts";
import { itemsInWords, launchInWords } from "../lock/entry-summary.ts";
import type { Context, Output } from "../run/context.ts";
import { asCalled, commandLine } from "../terminal/command-line.ts";
import { escapeLines } from "../terminal/report-error.ts";

/** Lists the servers, each with its launch and the configurations that contain it. */
export function printFound(context: Context, { servers, files }: FoundServers, pinned: ReadonlySet<string>): void {
  if (servers.length === 0) return;
  const { stdout } = context;
  const { bold, dim } = context.colorsOf(stdout);
  stdout.write(`Found ${count(servers.length, "server")} in ${count(files, "configuration")}:\n`);
  for (const server of servers) {
    const state = pinned.has(server.name) ? dim(" (already pinned)") : "";
    stdout.write(`  ${bold(escapeText(server.name))}${state}  ${launchOf(context, server)}\n`);
    stdout.write(`    ${dim(placesOf(server))}\n`);
  }
}

/** Returns the launch of a server in one line, without its secrets. */
export function launchOf(context: Context, { target }: FoundServer): string {
  return context.hidden.replace(launchInWords({ launch: redactLaunch(target.launch) }));
}

function placesOf({ places }: FoundServer): string {
  const shown = places.map(({ file, client }) => (client ? `${client.name}, ${file}` : file));
  return escapeText([...new Set(shown)].join("; "));
}

/** Shows the files that a run would write. */
export function printDryRun(
  context: Context,
  entries: readonly LockedServer[],
  lock: string,
  plans: readonly FilePlan[],
): void {
  const { stdout } = context;
  const { bold, green } = context.colorsOf(stdout);
  if (entries.length > 0) stdout.write(`${bold(escapeText(lock))}\n`);
  for (const entry of entries) {
    stdout.write(green(`+${escapeText(entry.name)}: ${itemsInWords(entry)}, digest ${entry.digest}\n`));
  }
  for (const plan of plans) if (plan.action !== "nothing") printChange(context, plan, stdout);
  stdout.write("Nothing was written.\n");
}

/** Shows the lines that a file would lose and gain. */
export function printChange(context: Context, { path, before, text, action, shown }: FilePlan, output: Output): void {
  const { bold, dim, green, red } = context.colorsOf(output);
  output.write(`${bold(escapeText(path))}${action === "keep" ? dim(" (kept, unless --force is given)") : ""}\n`);
  for (const line of shown ?? changedLines(before, text)) {
    output.write(`${(line.startsWith("-") ? red : green)(escapeLines(line))}\n`);
  }
}

/** Prints the outcome for each file. */
export function printFiles(context: Context, plans: readonly FilePlan[]): void {
  const { stdout } = context;
  const { dim, green } = context.colorsOf(stdout);
  const said = { write: green("wrote"), nothing: dim("unchanged"), keep: dim("kept") } as const;
  for (const { path, action } of plans) {
    const why = action === "keep" ? dim(" (it differs from what init writes; --force replaces it)") : "";
    stdout.write(`${said[action]} ${escapeText(path)}${why}\n`);
  }
}

const PIN_FIRST =
  "agentprint init again, when a server can be pinned: without one, a check could only fail, so no CI file was written";
const AFTER_FAILURES =
  "fix what is not pinned and run agentprint init again; until then, agentprint check reports it (agentprint explain mcp/not-pinned explains how to leave a server out)";

/**
 * Prints the steps that are left to do.
 *
 * @param files The files to commit; none if nothing is pinned
 * @param failures The number of servers that were not pinned
 */
export function printSteps(
  context: Context,
  files: readonly string[],
  steps: readonly string[],
  failures: number,
): void {
  const { stdout } = context;
  const { bold } = context.colorsOf(stdout);
  const all = [
    files.length > 0 ? commandLine(["git", "add", ...files]) : asCalled(context, PIN_FIRST),
    ...steps,
    ...(files.length > 0 && failures > 0 ? [asCalled(context, AFTER_FAILURES)] : []),
  ];
  stdout.write(`${bold("Next:")} ${all.map((step) => escapeText(step)).join("\n      ")}\n`);
}
