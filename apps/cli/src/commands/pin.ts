import { EXIT, type ExitCode } from "@agentprint/findings";
import type { VisitAnswers } from "@agentprint/mcp";
import { type LockedServer, type LockFile, withServer, withSources } from "@agentprint/mcp-lock";
import { type Command, Option } from "commander";
import { approveLine } from "../check/approve-line.ts";
import { alreadyPinned, nothingToPin } from "../check/pin-errors.ts";
import { printPinned } from "../check/pin-result.ts";
import type { TellFault } from "../clients/read-config.ts";
import { addEnvAndHeaders, commandAfterDashes, targetsFromArguments } from "../clients/targets-from-arguments.ts";
import { exactTargets } from "../compare-configs/exact-targets.ts";
import { type PlannedFile, planFile, writePlannedFile } from "../files/planned-file.ts";
import { nameOfLaunch } from "../launch/server-name.ts";
import type { ServerTarget } from "../launch/server-target.ts";
import { isSameState } from "../lock/is-same-state.ts";
import { type LockNew, lockNewUnder } from "../lock/lock-new.ts";
import { newLock } from "../lock/new-lock.ts";
import { updateLock } from "../lock/update-lock.ts";
import type { PinOptions } from "../options/pin-options.ts";
import { addScriptsOption } from "../options/scripts-option.ts";
import {
  addLaunchOptions,
  addSettingsHelp,
  addSpeakerOptions,
  addUnstableOption,
  addVaryOption,
  withVisits,
} from "../options/visit-options.ts";
import { readPolicy } from "../policy/read-policy.ts";
import type { Context } from "../run/context.ts";
import { asExplained, CliError } from "../run/errors.ts";
import { canAsk } from "../terminal/ask.ts";
import { commandLine } from "../terminal/command-line.ts";
import type { Examples } from "../terminal/examples.ts";
import { printNotices } from "../terminal/notices.ts";
import { serverName } from "../terminal/option-parsers.ts";
import { printError } from "../terminal/report-error.ts";
import { noticing } from "../visit/noticing.ts";
import { type Allowed, allowedIn, steadyUnder } from "../visit/steady-server.ts";
import { requireServers } from "../visit/vary-rule.ts";
import { planPin } from "../visit/visit-plan.ts";
import type { VisitResult } from "../visit/visit-servers.ts";

export const examples: Examples = [
  ["agentprint pin -- npx -y @modelcontextprotocol/server-filesystem@2026.7.4 .", "a server over stdio"],
  ["agentprint pin --pin-versions -- npx -y @modelcontextprotocol/server-memory", "the newest version, exactly"],
  ["agentprint pin --name github --env GITHUB_TOKEN -- github-mcp-server stdio", "with one variable passed on"],
  ["agentprint pin --url https://mcp.example.com/mcp --header AUTHORIZATION", "over streamable HTTP"],
  ["agentprint pin --skills", "the Agent Skills, AGENTS.md and CLAUDE.md of the project"],
  ["agentprint pin --registry io.github.example/files", "a server by its name in the MCP registry"],
  ["agentprint pin --mcp-config .vscode/mcp.json", "every server of a client's configuration"],
  ["agentprint pin --mcp-config .mcp.json --keep-going", "those that can be read; the others are reported"],
  ["agentprint pin --replace --mcp-config .mcp.json --lock tests.lock --format json", "again, for scripts"],
  ["agentprint pin --mcp-config .mcp.json --migrate mcp-pin.lock", "pin only what a lock of mcp-pin approves"],
  ["agentprint pin --as cursor -- node server.js", "as Cursor and as a bare client see the server"],
  ["agentprint pin --capabilities sampling,roots -- node server.js", "as a client with these capabilities sees it"],
  ["agentprint pin --allow-scripts esbuild -- npx -y files-server@1.0.0", "with the install scripts of one package"],
  [
    "agentprint pin --allow-unstable /tools/_meta/requestId -- node server.js",
    "without a member that differs at each reading",
  ],
  ["agentprint pin --name s --vary 's/tool/a#/description' -- node server.js", "with text that varies"],
  [
    "agentprint pin --url https://mcp.example.com/mcp --account admin --name example-admin",
    "pin what one of several accounts is shown, with its login",
  ],
];

export function define(command: Command): void {
  command
    .usage(
      "[options] -- command...\n       agentprint pin [options] --url <url>\n       agentprint pin [options] --mcp-config <file>\n       agentprint pin [options] --registry <name>\n       agentprint pin [options] --skills",
    )
    .argument("[command...]", "after --: the command that starts the server, with its arguments")
    .option(
      "-n, --name <name>",
      "name of the server in the lock file; with --mcp-config, the one server to pin",
      serverName,
    )
    .option("--registry <name>", "the server with this name in the MCP registry, by its package or address")
    .option(
      "--account <name>",
      "visit with the login of this account; the entry is named after the server and the account",
    )
    .option("--skills", "pin the Agent Skills and the instruction files of the project instead of servers", false)
    .option("--replace", "replace the entry of an already pinned server, without showing the difference", false)
    .option(
      "--pin-versions",
      "write an exact version, or the digest of an image, into a launch that fetches the newest, without asking",
      false,
    )
    .option("--keep-going", "pin the other servers even if some could not be read; the exit code is still 2", false)
    .option("--migrate <file>", "pin only what this mcp-pin.lock approves")
    .addOption(new Option("--format <format>", "format of the output").choices(["text", "json"]).default("text"));
  addScriptsOption(addVaryOption(addUnstableOption(command)));
  addSpeakerOptions(addLaunchOptions(command));
  addSettingsHelp(command);
}

export async function run(
  context: Context,
  operands: readonly string[],
  options: PinOptions,
  command: Command,
): Promise<ExitCode> {
  const launched = commandAfterDashes(command);
  if (operands.length !== launched.length) {
    throw new CliError("usage", "the command of the server comes after --", {
      expected: "agentprint pin [options] -- command…",
      fix: commandLine(["agentprint", "pin", "--", ...operands]),
    });
  }
  if (options.skills) {
    if (launched.length > 0 || isLaunchedByOption(options) || options.registry !== undefined) {
      throw new CliError("usage", "--skills pins files of the project, not servers", {
        expected: "--skills without the launch of a server",
      });
    }
    const { pinSkills } = await import("../approve/pin-skills.ts");
    return pinSkills(context, options);
  }
  if (options.registry === undefined) return pin(context, launched, options);
  return pinPublished(context, launched, options, options.registry);
}

function isLaunchedByOption({ url, mcpConfig }: PinOptions): boolean {
  return url !== undefined || mcpConfig.length > 0;
}

/** Pins the server that the MCP registry has under a name, with the launch that the registry gives. */
async function pinPublished(
  context: Context,
  launched: readonly string[],
  options: PinOptions,
  named: string,
): Promise<ExitCode> {
  if (launched.length > 0 || isLaunchedByOption(options)) {
    throw new CliError("usage", "the command line launches the server in more than one way", {
      expected: "--registry <name> alone",
    });
  }
  const { publishedServer } = await import("../visit/published-server.ts");
  const launch = await publishedServer(context, named);
  return launch.type === "http"
    ? pin(context, [], { ...options, url: launch.url, header: [...options.header, ...launch.headers] })
    : pin(context, [launch.command, ...launch.args], { ...options, env: [...options.env, ...launch.env] });
}

async function pin(context: Context, launched: readonly string[], options: PinOptions): Promise<ExitCode> {
  const unread = new Set<string>();
  const tell: TellFault = (name, error) => {
    if (options.name !== undefined && options.name !== name) return;
    unread.add(name);
    printError(context, error, name);
  };
  const given = await targetsFromArguments(
    context,
    options,
    launched,
    (launch) =>
      options.name ?? [nameOfLaunch(launch), ...(options.account === undefined ? [] : [options.account])].join("-"),
    options.keepGoing ? tell : undefined,
  );
  const selected = options.name === undefined ? given : given.filter(({ name }) => name === options.name);
  if (selected.length === 0) {
    if (unread.size > 0) return EXIT.unknown;
    const names = given.map(({ name }) => name);
    throw nothingToPin(options, names);
  }
  const exact = await exactTargets(context, selected, { ...options, yes: false });
  const targets = addEnvAndHeaders(context, exact.targets, options);

  const configured = await readPolicy(context, { lock: options.lock });
  const visiting = withVisits(context, options, configured.settings.visits);
  const { answersByName, visitServers } = await import("../visit/visit-servers.ts");
  requireServers(options.vary, targets);
  const allowed = (name: string, answers: VisitAnswers) => allowedIn(name, answers, visiting);
  const toPin = { lock: options.lock, scripts: options.allowScripts, allowing: "this" as const };
  const plan = { ...planPin(visiting), requireSteady: steadyUnder(context, allowed) };
  const visited = await visitServers(context, targets, visiting, () => plan, noticing(context, toPin));
  const { visits, files } = await withOfferedReferences(context, visited, targets, exact.files);
  const { entries, failed } = lockAll(context, visits, visiting, lockNewUnder(context, configured));
  const missing = [...unread, ...failed];
  if (options.migrate !== undefined) {
    const { requireApproved } = await import("../check/migrate-mcp-pin.ts");
    await requireApproved(context, entries, options.migrate);
  }
  // All or nothing, unless requested otherwise, because a lock with half of a configuration would look complete.
  if (missing.length > 0 && (entries.length === 0 || !options.keepGoing)) {
    if (entries.length > 0) {
      const others = entries.length === 1 ? "the other server" : `the other ${entries.length} servers`;
      printNotices(context, [`nothing was pinned; --keep-going pins ${others}`]);
    }
    return EXIT.unknown;
  }

  const differing = await writeEntries(context, entries, await newLock(configured), options);
  const kept = options.replace ? [] : differing;
  const replaced = options.replace ? differing : [];
  const pinned = entries.filter(({ name }) => !kept.includes(name));
  if (kept.length > 0) {
    const again = targets.filter(({ name }) => kept.includes(name));
    printError(context, alreadyPinned(kept, options, approveLine(again, options, launched)));
    if (!options.keepGoing || pinned.length === 0) return missing.length > 0 ? EXIT.unknown : EXIT.drift;
  }
  for (const file of [...exact.files, ...files]) await writePlannedFile(context, await planFile(context, file, true));
  await recordSources(context, pinned, targets, options);
  if (configured.policy.statements !== undefined) {
    const { recordStatements } = await import("../statement/record-statements.ts");
    await recordStatements(context, pinned, configured.policy, options.lock);
  }
  await printPinned(context, pinned, answersByName(visits), options, { missing: [...missing, ...kept], replaced });
  if (missing.length + exact.failed > 0) return EXIT.unknown;
  return kept.length > 0 ? EXIT.drift : EXIT.same;
}

async function withOfferedReferences(
  context: Context,
  visits: readonly VisitResult[],
  targets: readonly ServerTarget[],
  planned: readonly PlannedFile[],
): Promise<{ readonly visits: readonly VisitResult[]; readonly files: readonly PlannedFile[] }> {
  if (!canAsk(context)) return { visits, files: [] };
  // Loading the configuration editors takes longer than pinning without a question.
  const { offerReferences } = await import("../check/offer-references.ts");
  const paths = planned.map(({ path }) => path);
  return offerReferences(context, visits, targets, paths);
}

/** Returns the entries of the servers that were read, and the names of the others, whose errors are printed. */
function lockAll(
  context: Context,
  visits: readonly VisitResult[],
  allowed: Allowed,
  lockNew: LockNew,
): { entries: LockedServer[]; failed: string[] } {
  const entries: LockedServer[] = [];
  const failed: string[] = [];
  for (const visit of visits) {
    const { name } = visit;
    if ("error" in visit) {
      failed.push(name);
      printError(context, visit.error, name);
      continue;
    }
    try {
      entries.push(lockNew(name, visit.answers, allowedIn(name, visit.answers, allowed)));
    } catch (error) {
      failed.push(name);
      // The message of any other error contains the name.
      printError(context, asExplained(error), error instanceof CliError ? undefined : name);
    }
  }
  return { entries, failed };
}

/**
 * Writes all entries, or with `keepGoing` those that replace no other state, or else none; returns the names of those
 * that are pinned in a different state, which only `replace` overwrites.
 *
 * @param empty The lock to which the entries are added if none exists
 */
async function writeEntries(
  context: Context,
  entries: readonly LockedServer[],
  empty: LockFile,
  { keepGoing, lock, replace }: PinOptions,
): Promise<string[]> {
  let differing: string[] = [];
  await updateLock(context, lock, (before) => {
    const known = new Map(before?.servers.map((entry) => [entry.name, entry]));
    const isOther = (entry: LockedServer): boolean => {
      const pinned = known.get(entry.name);
      return pinned !== undefined && !isSameState(pinned, entry);
    };
    differing = entries.filter(isOther).map(({ name }) => name);
    const kept = replace ? [] : differing;
    if (kept.length > 0 && before && !keepGoing) return before;
    if (before === undefined && empty.policy !== undefined) {
      printNotices(context, [`${lock} holds the policy next to it as the accepted one`]);
    }
    return entries.filter(({ name }) => !kept.includes(name)).reduce<LockFile>(withServer, before ?? empty);
  });
  return differing;
}

/** Records in the lock which entries of configurations launch the pinned servers. */
async function recordSources(
  context: Context,
  entries: readonly LockedServer[],
  targets: readonly ServerTarget[],
  options: PinOptions,
): Promise<void> {
  const { projectServers, sourcesOfPinned } = await import("../compare-configs/pinned-places.ts");
  const configured = await projectServers(context, options.lock);
  const sources = sourcesOfPinned(context, entries, targets, configured, options);
  if (sources.length === 0) return;
  await updateLock(context, options.lock, (lock) => withSources(lock as LockFile, sources));
}
