import { dirname, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type FoundArtifact, launchedFiles } from "@agentprint/launch";
import { isRedacted, redactLaunch } from "@agentprint/launch/redact";
import { compareArtifacts, coverageOfEntry, type LockedServer, pinnedFiles } from "@agentprint/mcp-lock/lock";
import type { HttpTarget, StdioTarget } from "@agentprint/mcp-visit";
import { decide, type Policy } from "@agentprint/policy/apply";
import { prepareDryRun } from "../artifacts/prepare-dry-run.ts";
import { requireArtifacts } from "../artifacts/require-artifacts.ts";
import { type DigestedFile, readLaunchedFiles } from "../launch/digest-files.ts";
import { secretsInLaunch } from "../launch/launch-secrets.ts";
import { refuseLoadedCode } from "../launch/refuse-loaded-code.ts";
import { expandLaunch, targetFromEnvironment } from "../launch/server-target.ts";
import { environmentValue, type LaunchContext, networkVariables } from "../launch/variables.ts";
import { coverageInWords } from "../lock/coverage-words.ts";
import { namedLock } from "../lock/read-lock.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { commandLine } from "../terminal/command-line.ts";
import { printNotices } from "../terminal/notices.ts";
import { compareGivenWords, workspaceFolders } from "./given-words.ts";
import type { LoadedLock } from "./load-lock.ts";

/** A pinned server with its target. */
export interface GuardedServer {
  readonly entry: LockedServer;
  readonly target: Target;
  /** The command after the guard's words in the client's configuration. */
  readonly launched: readonly string[];
  /** Whether a server at an address gets the `Authorization` of its clients. */
  readonly passesAuthorization: boolean;
  /**
   * Returns the target for another entry with the same name.
   *
   * @throws {@link CliError} as {@link guardedTarget}
   */
  readonly targetOf: (entry: LockedServer) => Promise<Target>;
  /**
   * Requires that a statement about an entry holds if the policy requires one.
   *
   * @throws {@link CliError} `statement-refused`
   */
  readonly requireStatement: (entry: LockedServer, loaded: LoadedLock) => Promise<void>;
  /**
   * Requires that the server's local files are those that an entry records.
   *
   * @throws {@link CliError} as {@link requirePinnedFiles}
   */
  readonly requireFiles: (entry: LockedServer, target: Target, loaded: Pick<LoadedLock, "policy">) => Promise<void>;
}

/** The target by which a server is started or reached. */
export type Target = StdioTarget | HttpTarget;

/** Returns whether two targets start or reach a server in the same way. */
export function isSameTarget(one: Target, other: Target): boolean {
  return isDeepStrictEqual(one, other);
}

/**
 * Returns the target of a pinned server: its launch exactly as pinned, with the pinned variables.
 *
 * @param launched The command after the guard's words in the client's configuration
 * @param lock The path of the lock. `${workspaceFolder}` is its folder, or in `launched` one above it
 * @throws {@link CliError} `launch-changed` when `launched` differs, or `missing-variable` when a variable is not set
 */
export async function guardedTarget(
  context: Context,
  entry: LockedServer,
  launched: readonly string[],
  lock: string,
): Promise<StdioTarget | HttpTarget> {
  const { name, launch } = entry;
  const { env: variables, hidden, pathOf } = context;
  const atLock = { env: variables, hidden, cwd: dirname(resolve(pathOf(lock))) };
  if (launch.type === "http") {
    const target = targetFromEnvironment(atLock, name, launch, namedLock(lock));
    if (isRedacted(launch)) await target.readValues();
    const expanded = expandLaunch(atLock, target);
    // The client's own headers are passed to the server, so none are added here.
    return { type: "http", launch, url: expanded.type === "http" ? expanded.url : launch.url, headers: {} };
  }
  const env = Object.fromEntries(launch.env.map((variable) => [variable, environmentValue(context, variable, name)]));
  const started =
    launched.length === 0 ? await pinnedCommand(atLock, entry, lock) : givenCommand(context, entry, launched, lock);
  const folder = started.cwd === undefined && context.cwd === "." ? {} : { cwd: context.pathOf(started.cwd ?? ".") };
  const { command, args } = started;
  return { type: "stdio", launch, command, args, ...folder, env: { ...networkVariables(context, launch), ...env } };
}

type Command = Pick<StdioTarget, "command" | "args" | "cwd">;

/** Returns the pinned command with its references filled in. */
async function pinnedCommand(context: LaunchContext, { name, launch }: LockedServer, lock: string): Promise<Command> {
  const target = targetFromEnvironment(context, name, launch, namedLock(lock));
  await target.readValues();
  const expanded = expandLaunch(context, target);
  if (expanded.type === "http") throw otherLaunch(name, []);
  return expanded;
}

/**
 * Returns the command that the client passed to the guard, if it is the pinned one. The client has already filled in
 * its references, and started the guard in the server's folder.
 */
function givenCommand(
  context: Context,
  { name, launch }: LockedServer,
  launched: readonly string[],
  lock: string,
): Command {
  if (launch.type === "http") throw otherLaunch(name, launched);
  const [command = "", ...args] = launched;
  context.hidden.hide(secretsInLaunch({ type: "stdio", command, args, env: [] }));
  const compared = compareGivenWords(context, launch, launched, workspaceFolders(context.pathOf(lock)));
  if (compared === false) throw otherLaunch(name, launched);
  if (compared === true) return { command, args };
  const { variable, pointer } = compared;
  throw new CliError("missing-variable", `${variable} determines what is started, but is not set`, {
    where: `${name}, launch at ${pointer}`,
    expected: "a value in the guard's environment, to compare with the word that the client passed",
    fix: `set ${variable} among the variables of ${name} in the client's configuration`,
  });
}

function otherLaunch(name: string, [command = "", ...args]: readonly string[]): CliError {
  // A command that a client gave contains its secrets.
  const shown = redactLaunch({ type: "stdio", command, args, env: [] });
  const words = shown.type === "stdio" && command !== "" ? [shown.command, ...shown.args] : [];
  return new CliError("launch-changed", `${name} is pinned with a different command than the one to be started`, {
    where: `agentprint guard ${name}`,
    expected: "exactly the pinned command",
    fix: `review the new command: ${commandLine(["agentprint", "approve", name, "--", ...words])}`,
  });
}

/** A target that may be started, with the local files of its launch. */
export interface RequiredTarget {
  readonly target: StdioTarget;
  readonly files: readonly DigestedFile[];
}

/**
 * Requires that the local files that a launch names equal the pinned ones, and that no variable loads other code.
 *
 * @returns The target to start, and the files as they were read; no files if a change to them does not lead to a
 * refusal
 * @throws {@link CliError} `launch-changed` when a file differs, and the policy does not allow that;
 * `launch-loads-code`, `unreadable-input` as {@link refuseLoadedCode} does
 */
export async function requirePinnedFiles(
  context: Context,
  entry: LockedServer,
  target: StdioTarget,
  { lock, policy, dryRun }: { readonly lock: string; readonly policy: Policy; readonly dryRun: boolean },
): Promise<RequiredTarget> {
  const { name } = entry;
  await refuseLoadedCode(context, name, target).catch((error: unknown) => {
    if (!dryRun || !(error instanceof CliError)) throw error;
    printNotices(context, [error.message]);
  });
  const found = await readLaunchedFiles(target);
  const digests = new Map(found.map(({ pointer, digest }) => [pointer, digest]));
  const changed = pinnedFiles(entry).filter(({ pointer, digest }) => digests.get(pointer) !== digest);
  const finding = { rule: "mcp/launch-file-changed", level: "error", place: { subject: name, server: name } } as const;
  const isPassed = dryRun || decide(finding, policy).guard === "pass";
  const prepared = await (dryRun ? prepareDryRun : requireArtifacts)(context, entry, target, { lock });
  refuseMoved(context, entry, prepared.artifacts ?? [], { policy, dryRun });
  if (changed.length === 0) return { target: prepared.target, files: isPassed ? [] : found };
  const error = new CliError("launch-changed", `a script or program of ${name} is not the pinned one`, {
    where: changed.map(({ pointer }) => `${name}, launch at ${pointer}`).join("\n"),
    expected: "the file whose digest is in the lock",
    fix: `review it, then run ${commandLine(["agentprint", "approve", name])}`,
  });
  if (!isPassed) throw error;
  printNotices(context, [error.message]);
  return { target: prepared.target, files: [] };
}

/** Reports packages that would run in a version other than the pinned one, and refuses them if the policy does. */
function refuseMoved(
  context: Context,
  { name, artifacts = [] }: LockedServer,
  found: readonly FoundArtifact[],
  { policy, dryRun }: { readonly policy: Policy; readonly dryRun: boolean },
): void {
  const where = compareArtifacts(artifacts, found).moved.map(({ before, after }) => `${before} → ${after}`);
  if (where.length === 0) return;
  const rule = {
    rule: "mcp/artifact-version-changed",
    level: "warning",
    place: { subject: name, server: name },
  } as const;
  const message = `${name} runs packages in versions other than those that were pinned`;
  if (!dryRun && decide(rule, policy).guard === "block") {
    throw new CliError("launch-changed", message, {
      where: where.join("\n"),
      expected: "the versions that the lock has",
      fix: `review the changes, then run ${commandLine(["agentprint", "approve", name])}`,
    });
  }
  printNotices(context, [`${message}: ${where.join(", ")}`]);
}

/** Prints once what the digests of an entry do not cover. */
export function noticeCoverage(context: Context, entry: LockedServer): void {
  const coverage = coverageOfEntry(entry);
  if (coverage === undefined || (coverage.state === "files" && coverage.envFiles === undefined)) return;
  const { name } = entry;
  const isOlder = entry.coverage === undefined && pinnedFiles(entry).length === 0;
  if (isOlder && launchedFiles(entry.launch).length > 0) {
    printNotices(context, [`the lock has no digest of the program of ${name}: agentprint approve ${name} writes it`]);
  } else printNotices(context, [`launch of ${name}: ${coverageInWords(entry)}`]);
}
