import { resolve } from "node:path";
import { EXIT, type ExitCode } from "@agentprint/findings";
import type { LaunchCoverage } from "@agentprint/launch";
import { redactLaunch } from "@agentprint/launch/redact";
import { coverageOfEntry, type LockedServer } from "@agentprint/mcp-lock/lock";
import { escapeText } from "@agentprint/report";
import { type Command, Option } from "commander";
import { findServers } from "../clients/find-servers.ts";
import { addClientOptions, type ClientOptions, selectClients, selectScopes } from "../clients/select-clients.ts";
import { findUnknownFiles } from "../clients/unknown-files.ts";
import { recognizeGuard } from "../clients/wrapped-state.ts";
import { comparedOf } from "../compare-configs/configured-server.ts";
import { namesInOtherCase, type OtherCase } from "../compare-configs/other-case.ts";
import { othersOf } from "../compare-configs/project-folder.ts";
import { isLockedLaunch } from "../compare-configs/same-launch.ts";
import { formatJson } from "../files/format-json.ts";
import { followLinks } from "../files/replace-file.ts";
import { readState } from "../guard/state-file.ts";
import { tellFound } from "../init/tell-found.ts";
import type { ServerTarget } from "../launch/server-target.ts";
import { coverageInWords } from "../lock/coverage-words.ts";
import { launchInWords } from "../lock/entry-summary.ts";
import { DEFAULT_LOCK, readLockIfPresent } from "../lock/read-lock.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { asCalled } from "../terminal/command-line.ts";
import type { Examples } from "../terminal/examples.ts";
import { printError } from "../terminal/report-error.ts";
import { type ReplacedGuard, replacedGuards } from "../wrap/replaced-guards.ts";

interface DoctorOptions extends ClientOptions {
  readonly clean: boolean;
  readonly lock: string;
  readonly format: "text" | "json";
}

/** The diagnosis of one configuration entry. */
interface Diagnosis {
  readonly server: string;
  readonly config: string;
  readonly isGuarded: boolean;
  readonly isPinned: boolean;
  /** The launch of the entry, in words, if the lock has a different one. */
  readonly otherLaunch?: string;
  /**
   * How much of the launch the digests in the lock cover; absent for a server that is not pinned, or at an address.
   */
  readonly coverage?: LaunchCoverage;
  /** Whether `wrap` put the guard in front of the server, but something else is there now. */
  readonly isReplaced: boolean;
  /** The reason why an apparent guard is not recognized. */
  readonly reason?: string;
  /** The tools whose locked definition the client receives. */
  readonly frozen: readonly string[];
  /** The tools that the guard removes. */
  readonly blocked: readonly string[];
}

export const examples: Examples = [
  ["agentprint doctor", "which of your clients' servers are not behind the guard, and what is frozen"],
  ["agentprint doctor --scope project --format json", "the same for the project, for scripts"],
  ["agentprint doctor --clean", "remove the folders of installed packages that no lock names any more"],
];

export function define(command: Command): void {
  addClientOptions(command)
    .option("-l, --lock <file>", "the lock file", DEFAULT_LOCK)
    .option("--clean", "remove the folders of installed packages that no lock names, and do nothing else", false)
    .addOption(new Option("--format <format>", "format of the output").choices(["text", "json"]).default("text"));
}

export async function run(context: Context, options: DoctorOptions): Promise<ExitCode> {
  if (options.clean) {
    const { cleanPackages } = await import("../visit/clean-packages.ts");
    return cleanPackages(context, options);
  }
  return diagnose(context, options);
}

/** Reports for each entry of the configurations whether it is guarded and pinned. */
async function diagnose(context: Context, options: DoctorOptions): Promise<ExitCode> {
  const clients = selectClients(options);
  const files = options.mcpConfig;
  const recognize = await recognizeGuard(context, options.lock);
  const others = options.scope === "user" ? undefined : await othersOf(context, options.lock);
  const found = await findServers(context, process.platform, {
    clients,
    scopes: selectScopes(options),
    files,
    recognize,
    merge: "client",
    isForEverybody: options.scope === "project",
    ...(others && { others }),
  });
  tellFound(context, found);
  const isOfAll = options.client.length === 0 && files.length === 0;
  const unknown = isOfAll
    ? await findUnknownFiles(context, selectScopes(options), others)
    : { files: [], problems: [] };
  const lock = (await readLockIfPresent(context, options.lock))?.lock;
  const otherCases =
    isOfAll && others
      ? await namesInOtherCase(context, options.lock, { hasConfigs: true, hasSkills: lock?.skills !== undefined })
      : { found: [], problems: [] };
  const unlooked = [...unknown.problems, ...otherCases.problems];
  for (const problem of unlooked) printError(context, problem);
  const entries = lock?.servers ?? [];
  const pinned = new Map(entries.map((entry) => [entry.name, entry]));
  const { replaced, isUnknown } = await readReplaced(context, options.lock);
  const places = found.servers.flatMap(({ name, target, places }) => places.map((place) => ({ name, target, place })));
  const diagnoses: Diagnosis[] = [];
  for (const { name, target, place } of places) {
    const { file, path, guardedAs, notGuarded } = place;
    const server = guardedAs ?? name;
    const config = await followLinks(resolve(context.pathOf(path)));
    const tools = Object.entries((await readState(context, options.lock, server))?.tools ?? {});
    const toolsThat = (wanted: string) => tools.flatMap(([tool, found]) => (found === wanted ? [tool] : []));
    const entry = pinned.get(server);
    const coverage = entry && coverageOfEntry(entry);
    diagnoses.push({
      server,
      config: file,
      isGuarded: guardedAs !== undefined,
      isPinned: entry !== undefined,
      ...(entry && otherLaunch(context, entry, target)),
      ...(coverage && { coverage }),
      isReplaced: replaced.some((each) => each.config === config && each.name === target.name),
      ...(notGuarded !== undefined && { reason: context.hidden.replace(notGuarded) }),
      frozen: toolsThat("freeze"),
      blocked: toolsThat("block"),
    });
  }
  const named = new Set(otherCases.found.map(({ path }) => path));
  const unknownFiles = unknown.files.filter((file) => !named.has(file));
  if (options.format === "json")
    context.stdout.write(
      formatJson({ lock: options.lock, servers: diagnoses, unknownFiles, otherCases: otherCases.found }),
    );
  else printDiagnoses(context, diagnoses, pinned, { unknownFiles, otherCases: otherCases.found });
  if (found.problems.length > 0 || unlooked.length > 0 || isUnknown) return EXIT.unknown;
  const isWhole = diagnoses.every(
    ({ isGuarded, isPinned, otherLaunch: other }) => isGuarded && isPinned && other === undefined,
  );
  return isWhole && unknownFiles.length + named.size === 0 ? EXIT.same : EXIT.drift;
}

/** Returns a member with an entry's launch if it differs from the locked one. */
function otherLaunch(context: Context, entry: LockedServer, target: ServerTarget): Pick<Diagnosis, "otherLaunch"> {
  if (isLockedLaunch(entry, comparedOf(context, target))) return {};
  return { otherLaunch: context.hidden.replace(launchInWords({ launch: redactLaunch(target.launch) })) };
}

/** Returns the replaced guards. Unreadable configurations are already among the problems of the found servers. */
async function readReplaced(
  context: Context,
  lock: string,
): Promise<{ readonly replaced: readonly ReplacedGuard[]; readonly isUnknown: boolean }> {
  try {
    const replaced = await replacedGuards(context, lock);
    return { replaced: replaced.filter(({ couldNotTell }) => couldNotTell !== true), isUnknown: false };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    printError(context, error);
    return { replaced: [], isUnknown: true };
  }
}

function printDiagnoses(
  context: Context,
  diagnoses: readonly Diagnosis[],
  pinned: ReadonlyMap<string, LockedServer>,
  { unknownFiles, otherCases }: { readonly unknownFiles: readonly string[]; readonly otherCases: readonly OtherCase[] },
): void {
  const { stdout } = context;
  const { bold, dim, green, red, yellow } = context.colorsOf(stdout);
  const hasOthers = unknownFiles.length + otherCases.length > 0;
  if (diagnoses.length === 0)
    stdout.write(`No configuration of a ${hasOthers ? "known client" : "client"} has a server.\n`);
  for (const { path, opened } of otherCases)
    stdout.write(`${bold(escapeText(path))} ${yellow(`is read as ${escapeText(opened)} on macOS and Windows`)}\n`);
  for (const file of unknownFiles)
    stdout.write(`${bold(escapeText(file))} ${yellow("has servers that no known client reads")}\n`);
  for (const diagnosis of diagnoses) {
    const { server, config, isGuarded, isPinned, otherLaunch: other, isReplaced, reason, frozen, blocked } = diagnosis;
    const state = isGuarded ? green("guarded") : yellow("not guarded");
    const lock = isPinned ? "" : yellow(isGuarded ? " and not pinned: the guard does not start it" : ", not pinned");
    stdout.write(`${bold(escapeText(server))} ${state}${lock} ${dim(escapeText(config))}\n`);
    const entry = pinned.get(server);
    if (entry && other !== undefined) {
      stdout.write(`  ${red("another launch is pinned:")} ${launchInWords(entry)}\n`);
      stdout.write(`  ${red("the configuration has:")}    ${other}\n`);
    }
    if (isReplaced)
      stdout.write(`  ${red("agentprint wrap had put the guard in front of it, but something else is there now")}\n`);
    if (reason !== undefined) stdout.write(`  ${escapeText(reason)}\n`);
    if (frozen.length > 0) stdout.write(`  frozen: ${escapeText(frozen.join(", "))}\n`);
    if (blocked.length > 0) stdout.write(`  blocked: ${escapeText(blocked.join(", "))}\n`);
  }
  for (const server of new Set(diagnoses.map((diagnosis) => diagnosis.server))) {
    const entry = pinned.get(server);
    const coverage = entry && coverageInWords(entry);
    if (coverage !== undefined) stdout.write(`${dim(`launch of ${escapeText(server)}: ${coverage}`)}\n`);
  }
  const steps = [
    ...(diagnoses.some(({ isPinned }) => !isPinned) ? ["To pin the rest: agentprint init"] : []),
    ...(diagnoses.some(({ isGuarded, isPinned }) => isPinned && !isGuarded)
      ? ["To guard what is pinned: agentprint wrap, with --mcp-config <file> or --client <id>"]
      : []),
    ...(unknownFiles.some((file) => file.startsWith("~/"))
      ? ["To see the servers of such a file in the home folder: agentprint doctor --mcp-config <file>"]
      : []),
    ...(unknownFiles.some((file) => !file.startsWith("~/"))
      ? ["To compare all servers of such a file: list it under configurations in agentprint.config.json"]
      : []),
  ];
  for (const step of steps) stdout.write(`${dim(asCalled(context, step))}\n`);
}
