import type { RecognizeGuard } from "@agentprint/client-configs";
import { EXIT, type ExitCode } from "@agentprint/findings";
import { escapeText } from "@agentprint/report";
import { type Command, Option } from "commander";
import { type FoundServers, findServers } from "../clients/find-servers.ts";
import { type ClientOptions, selectClients, selectScopes } from "../clients/select-clients.ts";
import { keepBackup, rememberWrapped, removeBackup } from "../clients/wrapped-state.ts";
import { planFile, writePlannedFile } from "../files/planned-file.ts";
import { printDryRun } from "../init/print-init.ts";
import { tellFound } from "../init/tell-found.ts";
import { lockPathOf } from "../lock/lock-path.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { collect } from "../terminal/option-parsers.ts";
import { printError } from "../terminal/report-error.ts";
import type { WrapFile, WrapPlan } from "./plan-wrap.ts";

/** The configurations to edit. */
export interface WrapSelection extends ClientOptions {
  readonly config: readonly string[];
  readonly all: boolean;
  readonly dryRun: boolean;
}

/** Adds `--config`, `--all` and `--dry-run`. */
export function addWrapOptions(command: Command): Command {
  return command
    .addOption(new Option("--config <file>", "the same as --mcp-config").argParser(collect).default([]).hideHelp())
    .option("--all", "every configuration of every client, of the project and of the user", false)
    .option("--dry-run", "show what would be written", false);
}

/**
 * Returns the servers of the configurations that the options name.
 *
 * @throws {@link CliError} `usage` when the options name no configuration
 */
export async function selectedServers(
  context: Context,
  options: WrapSelection,
  how: { readonly recognize: RecognizeGuard; readonly includeOff: boolean },
): Promise<FoundServers> {
  const files = [...options.mcpConfig, ...options.config];
  const isNamed = files.length > 0 || options.client.length > 0 || options.scope !== undefined || options.all;
  if (!isNamed) {
    throw new CliError("usage", "name the configurations to edit", {
      expected: "--mcp-config <file>, --client <id>, --scope <scope> or --all",
      fix: "list the configurations with agentprint doctor",
    });
  }
  const clients = selectClients(options);
  const found = await findServers(context, process.platform, {
    clients,
    scopes: selectScopes(options),
    files,
    ...how,
  });
  tellFound(context, found);
  return found;
}

interface WriteOptions {
  readonly dryRun: boolean;
  readonly words: "guarded" | "no longer guarded";
  /** The lock of the guards that were added; absent if guards were removed. */
  readonly lock?: string;
}

/**
 * Writes the configurations of a plan, and prints the outcome for each server.
 *
 * @returns 2 if a configuration could not be edited, 1 if a server stays without the guard
 */
export async function writePlan(
  context: Context,
  plan: WrapPlan,
  found: FoundServers,
  { dryRun, words, lock }: WriteOptions,
): Promise<ExitCode> {
  const { stdout } = context;
  const { bold, dim, green, yellow } = context.colorsOf(stdout);
  const plans = await Promise.all(plan.files.map((file) => planFile(context, file, true)));
  const kept: string[] = [];
  if (dryRun) printDryRun(context, [], "", plans);
  else {
    for (const file of plan.files) kept.push(...(await writeFile(context, file, words === "guarded")));
    await rememberPlan(context, plan, lock);
  }
  for (const { name, place } of plan.changed) {
    stdout.write(
      `${green(dryRun ? `would be ${words}` : words)} ${bold(escapeText(name))} ${dim(escapeText(place.file))}\n`,
    );
  }
  for (const { name, place, reason } of plan.left) {
    stdout.write(
      `${yellow("not guarded")} ${bold(escapeText(name))} ${dim(escapeText(place.file))}: ${escapeText(reason)}\n`,
    );
  }
  if (plan.changed.length + plan.left.length + plan.problems.length === 0) stdout.write("Nothing to do.\n");
  for (const path of kept) stdout.write(`${dim(`as it was before: ${escapeText(path)}`)}\n`);
  for (const problem of plan.problems) printError(context, problem);
  if (found.problems.length + plan.problems.length > 0) return EXIT.unknown;
  return plan.left.length > 0 ? EXIT.drift : EXIT.same;
}

async function rememberPlan(context: Context, plan: WrapPlan, lock: string | undefined): Promise<void> {
  const entries = [...plan.changed, ...plan.unchanged];
  const inUse = lock === undefined ? undefined : await lockPathOf(context, lock);
  for (const path of new Set(entries.map(({ place }) => place.path))) {
    const here = entries
      .filter(({ place }) => place.path === path)
      .map(({ name, entryName, place, at }) => {
        const member = place.entry.slice(0, -1);
        return { name: entryName, member, server: place.guardedAs ?? name, ...(at !== undefined && { at }) };
      });
    const change =
      inUse === undefined
        ? { add: [], forget: here }
        : { add: here.map((entry) => ({ ...entry, lock: inUse })), forget: [] };
    await rememberWrapped(context, path, change);
  }
}

/** Writes a configuration; returns the path of its backup, if there is one. */
async function writeFile(context: Context, file: WrapFile, isWrapping: boolean): Promise<string[]> {
  const { path, from, text, isGuarded } = file;
  // A configuration with the guard in it is not a backup.
  const backup = isWrapping && !isGuarded ? await keepBackup(context, path, from) : undefined;
  await writePlannedFile(context, await planFile(context, file, true));
  const left = isWrapping ? backup : await removeBackup(context, path, text);
  return left === undefined ? [] : [left];
}
