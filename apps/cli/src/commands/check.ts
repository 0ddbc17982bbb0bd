import { basename } from "node:path";
import type { ExitCode } from "@agentprint/findings";
import type { LockedServer, LockFile } from "@agentprint/mcp-lock";
import type { Command } from "commander";
import { judgePolicy } from "../base-commit/judge-policy.ts";
import type { Base } from "../base-commit/read-base.ts";
import type { ReportListener } from "../check/check-result.ts";
import { addEnvAndHeaders } from "../clients/add-env-and-headers.ts";
import { splitAtDashes, targetsFromArguments } from "../clients/targets-from-arguments.ts";
import type { Agreement } from "../compare-configs/compare-configs.ts";
import type { LockAndSettings } from "../compare-configs/project-folder.ts";
import { type ServerTarget, targetFromEnvironment } from "../launch/server-target.ts";
import { nothingPinned, readLock } from "../lock/read-lock.ts";
import { addPolicyOption } from "../options/policy-option.ts";
import {
  addLaunchOptions,
  addSettingsHelp,
  type LaunchOptions,
  type VisitOptions,
  withVisits,
} from "../options/visit-options.ts";
import { checkPolicy } from "../policy/check-policy.ts";
import { readPolicy } from "../policy/read-policy.ts";
import {
  addAlsoOption,
  addServerReportOptions,
  addSummaryOption,
  type ReportOptions,
} from "../report/report-options.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import type { Examples } from "../terminal/examples.ts";
import { days } from "../terminal/option-parsers.ts";
import { unknownName } from "../terminal/unknown-name.ts";
import { planCheck, type VisitPlan } from "../visit/visit-plan.ts";

/** The options of a check as the command line gives them. */
export type CheckOptions = LaunchOptions &
  ReportOptions &
  ReportListener & {
    readonly config?: string;
    readonly base?: string;
    readonly allowChangedLaunch: boolean;
    readonly requireIntegrity: boolean;
    /** In milliseconds. */
    readonly maxAge?: number;
  };
type VisitingOptions = CheckOptions & VisitOptions;

export const examples: Examples = [
  ["agentprint check", "configurations, lock and servers: whether they agree"],
  ["agentprint check filesystem --format sarif --output drift.sarif", "one server, for code scanning"],
  ["agentprint check --summary --also sarif=drift.sarif --also markdown=drift.md", "one visit, three reports"],
  ["agentprint check --full", "each change to its end"],
  ["agentprint check --max-age 90d", "with a warning of each server that nobody has looked at for so long"],
  ["agentprint check --mcp-config .mcp.json", "launches and variables from a client's configuration"],
  ["agentprint check filesystem -- npx -y server-filesystem@next .", "whether an upgrade would change anything"],
  ["agentprint check web --url https://staging.example.com/mcp", "whether another address would"],
  ["agentprint check github --env GITHUB_TOKEN", "with one more variable, which is a change of the launch"],
  [
    "agentprint check --base origin/main",
    "a pull request: judged by the policy of this commit, and no launch that it does not have is started",
  ],
  ["agentprint check --allow-changed-launch", "start what a configuration launches otherwise, to see what it brings"],
  [
    "agentprint check --require-integrity --config release.json",
    "by another policy, and no server of whose code the lock has no digest",
  ],
  ["agentprint check --lock mcp-pin.lock --mcp-config .mcp.json", "what a lock of mcp-pin approves, as far as it says"],
  ["agentprint check --lock web.lock --header AUTHORIZATION", "with AGENTPRINT_HEADER_AUTHORIZATION sent along"],
];

export function define(command: Command): void {
  command
    .usage("[options] [server...] [-- command...]")
    .argument("[server...]", "names in the lock file; without a name, all servers")
    .option(
      "--base <commit>",
      "judge by the policy that this commit has accepted, tell what the lock accepts beyond it, and start no other launch",
    )
    .option(
      "--allow-changed-launch",
      "start also what a configuration launches otherwise than the lock, or with --base the lock than the commit",
      false,
    )
    .option("--max-age <days>", "warn of servers that nobody has pinned or approved for this long: 90d", days)
    .option("--require-integrity", "start no server of whose code the lock has no digest", false);
  addLaunchOptions(command);
  addPolicyOption(command);
  addAlsoOption(addSummaryOption(addServerReportOptions(command)));
  addSettingsHelp(command);
}

export async function run(
  context: Context,
  operands: readonly string[],
  given: CheckOptions,
  command: Command,
): Promise<ExitCode> {
  const startedAt = new Date();
  const { servers, launched } = splitAtDashes(command, operands);
  if (basename(given.lock) === "mcp-pin.lock") {
    const { checkMcpPin } = await import("../check/mcp-pin.ts");
    return checkMcpPin(context, servers, launched, given);
  }
  const { lock, text: lockText } = await readLock(context, given.lock);
  const configured = await readPolicy(context, given);
  const present = await checkPolicy(configured, lock);
  const base = await baseOf(context, given);
  const options = withVisits(context, given, (base ?? configured).settings.visits);
  const judgement = await judgePolicy(present, lock, base, options);
  const project = { lock, settings: configured.settings };
  const agreement = await agreementOf(context, [project, base], servers, launched, options);
  const selected = await selectTargets(context, { lock, servers, launched, agreement }, options);
  const complete = (some: readonly ServerTarget[]) => addEnvAndHeaders(context, some, options);
  const isHeldBack = base !== undefined && !options.allowChangedLaunch;
  const targets = isHeldBack
    ? await heldBackTargets(context, selected, complete, base, options.lock)
    : complete(selected);

  // The modules of a visit take longer to load than most commands take to run.
  const { visitServers } = await import("../visit/visit-servers.ts");
  const planOf = (name: string): VisitPlan => planCheck(entryOf(lock, name), options);
  const visits = await visitServers(context, targets, options, planOf, {
    onOpen: loadReport,
    readArtifacts: async (name, target) => {
      const entry = entryOf(lock, name);
      // Nothing is compared with an entry without artifacts, and the readers of packages take long to load.
      if (entry !== undefined && entry.artifacts === undefined && !options.requireIntegrity) return undefined;
      const { requireArtifacts } = await import("../artifacts/require-artifacts.ts");
      return requireArtifacts(context, entry, target, options);
    },
  });
  const { reportCheck } = await import("../check/check-result.ts");
  const notes = base && (await import("../base-commit/lock-notes.ts").then((it) => it.lockNotes(base, lock, servers)));
  const aged = options.maxAge === undefined ? [] : await agedPins(context, lock, servers, options, options.maxAge);
  const isWhole = servers.length === 0 && launched.length === 0;
  const visited = { lock, lockText, startedAt, judgement, targets, visits, notes, aged, base, agreement, isWhole };
  return reportCheck(context, visited, options, launched);
}

function agedPins(
  context: Context,
  lock: LockFile,
  names: readonly string[],
  { lock: file }: VisitingOptions,
  age: number,
) {
  return import("../git/old-pins.ts").then(({ oldPins }) => oldPins(context, { file, lock, names }, age));
}

/** Returns the targets, but fails those before they start whose program or values the change chose. */
async function heldBackTargets(
  context: Context,
  selected: readonly ServerTarget[],
  complete: (targets: readonly ServerTarget[]) => ServerTarget[],
  base: Base,
  lock: string,
): Promise<ServerTarget[]> {
  const [{ holdBackEnvFiles }, { holdBackLaunches }, { holdBackValues }] = await Promise.all([
    import("../base-commit/hold-back-env-files.ts"),
    import("../base-commit/hold-back-launches.ts"),
    import("../base-commit/hold-back-values.ts"),
  ]);
  const compared = holdBackEnvFiles(context, holdBackValues(context, selected, base, lock), base);
  return holdBackLaunches(complete(compared), base);
}

function baseOf(context: Context, options: CheckOptions): Promise<Base | undefined> {
  const { base } = options;
  if (base === undefined) return Promise.resolve(undefined);
  return import("../base-commit/read-base.ts").then(({ readBase }) => readBase(context, base, options));
}

/**
 * Returns the agreement of the configurations with the lock; `undefined` without any, or if the command line names a
 * launch.
 */
async function agreementOf(
  context: Context,
  [project, base]: readonly [LockAndSettings & { readonly lock: LockFile }, Base | undefined],
  names: readonly string[],
  launched: readonly string[],
  { lock: file, mcpConfig: configs, url, env, header }: VisitingOptions,
): Promise<Agreement | undefined> {
  if (configs.length === 0 && (launched.length > 0 || url !== undefined)) return undefined;
  const { hasProjectConfig, inFolderOf, otherConfigs } = await import("../compare-configs/project-folder.ts");
  const others = otherConfigs(context, file, project, base);
  if (configs.length === 0 && !(await hasProjectConfig(inFolderOf(context, file), others))) return undefined;
  // The readers of all client formats take longer to load than a whole check without them.
  const { compareConfigs } = await import("../compare-configs/compare-configs.ts");
  const compared = { file, configs, names, others, ofBase: base?.lock, added: { env, header } };
  return compareConfigs(context, project.lock, compared);
}

/**
 * Loads the modules that compare and report in the next turn of the event loop, while the started servers begin to
 * answer.
 */
function loadReport(): void {
  setImmediate(() => import("../check/check-result.ts"));
}

/** The requested servers, and their launches. */
interface Asked {
  readonly lock: LockFile;
  /** The names on the command line. */
  readonly servers: readonly string[];
  readonly launched: readonly string[];
  readonly agreement: Agreement | undefined;
}

/**
 * The targets to visit: the servers that the command line names, or else all. A launch that the command line gives overrides
 * the locked launch.
 */
async function selectTargets(
  context: Context,
  { lock, servers, launched, agreement }: Asked,
  options: VisitingOptions,
): Promise<ServerTarget[]> {
  const locked = lock.servers.map(({ name, launch }) => targetFromEnvironment(context, name, launch));
  const given = agreement
    ? []
    : await targetsFromArguments(context, options, launched, () => onlyName(servers, lock, options.lock));
  const agreed = agreement ? await targetsOfAgreement(agreement, locked, options) : locked;
  const targets = new Map([...agreed, ...given].map((target) => [target.name, target]));
  const isNotStarted = (name: string): boolean =>
    agreement !== undefined && (agreement.other.has(name) || agreement.unpinned.has(name));
  if (servers.length > 0) {
    return [...new Set(servers)].flatMap((name) => {
      const target = targets.get(name);
      if (target === undefined && !isNotStarted(name)) throw notPinned(name, lock, options);
      return target ?? [];
    });
  }
  if (targets.size > 0 || (agreement && agreement.findings.length > 0) || lock.skills) return [...targets.values()];
  throw nothingPinned(`no server is pinned in ${options.lock}`);
}

async function targetsOfAgreement(
  agreement: Agreement,
  locked: readonly ServerTarget[],
  { allowChangedLaunch, mcpConfig }: VisitingOptions,
): Promise<ServerTarget[]> {
  const { agreedTargets } = await import("../compare-configs/agreed-targets.ts");
  // A server that the lock does not have is visited where the command line names its configuration.
  const started = mcpConfig.length > 0 ? agreement : { ...agreement, unpinned: new Map() };
  return await agreedTargets(locked, started, allowChangedLaunch);
}

/** The pinned server that the one command or URL of the command line belongs to. */
function onlyName(servers: readonly string[], lock: LockFile, file: string): string {
  const [name, ...others] = servers;
  if (name !== undefined && others.length === 0) return name;
  throw new CliError("usage", "name the pinned server that this command starts", {
    expected: "exactly one server name",
    fix: `name the server: agentprint check <server> -- <command…>, where ${file} has ${namesOf(lock).join(", ") || "no server"}`,
  });
}

function notPinned(name: string, lock: LockFile, { lock: file }: VisitingOptions): CliError {
  return unknownName(`${name} is not in ${file}`, name, namesOf(lock), "name one of these, or pin the server first");
}

function entryOf(lock: LockFile, name: string): LockedServer | undefined {
  return lock.servers.find((entry) => entry.name === name);
}

function namesOf(lock: LockFile): string[] {
  return lock.servers.map((server) => server.name);
}
