import { escapeText } from "@agentprint/canonical-json/text";
import type { LockedFile } from "@agentprint/launch";
import type { VisitAnswers } from "@agentprint/mcp";
import {
  checkLock,
  type DriftReport,
  diffVaries,
  type LockedServer,
  type LockFile,
  pinnedFiles,
  type ServerDrift,
} from "@agentprint/mcp-lock";
import { prepareForApproval } from "../artifacts/read-or-notice.ts";
import { addEnvAndHeaders, targetsFromArguments } from "../clients/targets-from-arguments.ts";
import { exactTargets } from "../compare-configs/exact-targets.ts";
import type { PlannedFile } from "../files/planned-file.ts";
import type { InspectedLaunch } from "../launch/inspect-launch.ts";
import { type ServerTarget, targetFromEnvironment } from "../launch/server-target.ts";
import { namedLock } from "../lock/read-lock.ts";
import type { LaunchOptions, VisitOptions } from "../options/visit-options.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { printNotices } from "../terminal/notices.ts";
import { allowedIn, steadyUnder } from "../visit/steady-server.ts";
import { planApprove } from "../visit/visit-plan.ts";
import { type Candidate, entryToApprove } from "./candidate.ts";
import { type ChangedFiles, readChangedFiles } from "./changed-files.ts";

interface EntriesVisit {
  readonly targets: readonly ServerTarget[];
  /** The configurations in which approved exact versions have to be written. */
  readonly files: readonly PlannedFile[];
  readonly drift: DriftReport;
  /** The servers that were read. */
  readonly candidates: readonly Candidate[];
  /** The servers that could not be read, or whose answers cannot be pinned. */
  readonly failures: readonly { readonly name: string; readonly error: unknown }[];
}

type EntriesOptions = LaunchOptions &
  VisitOptions & {
    readonly allowUnstable: readonly string[];
    /** The packages whose install scripts may run, in addition to those of the entries. */
    readonly allowScripts: readonly string[];
    /** Whether to ask before an exact version replaces the newest. */
    readonly isAsked: boolean;
    /** The names of servers and tools that an earlier check knew. */
    readonly names: readonly string[];
  };

/**
 * Visits pinned servers in every view that their entries have, and compares them with these entries.
 *
 * @param launched The words after `--`: a new launch, for one server
 * @throws CliError `usage` when one launch is given for several servers, or the configured `protocol` leaves out an era of an entry
 */
export async function visitEntries(
  context: Context,
  lock: LockFile,
  entries: readonly LockedServer[],
  launched: readonly string[],
  options: EntriesOptions,
): Promise<EntriesVisit> {
  for (const entry of entries) requireWholeServer(entry, options);
  const exact = await exactTargets(context, await targetsOf(context, entries, launched, options), {
    lock: options.lock,
    pinVersions: false,
    // All configurations are edited together, but a walk can accept only some of the servers.
    yes: !options.isAsked || entries.length > 1,
  });
  const targets = addEnvAndHeaders(context, exact.targets, options);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));

  const { answersByName, visitServers } = await import("../visit/visit-servers.ts");
  const allowed = (name: string, answers: VisitAnswers) => allowedIn(name, answers, options, byName.get(name));
  const requireSteady = steadyUnder(context, allowed);
  const planOf = (name: string) => ({ ...planApprove(byName.get(name) as LockedServer, options), requireSteady });
  const onInspected = (name: string, { files }: InspectedLaunch): void =>
    noticeChangedFiles(context, byName.get(name), files);
  const changedFiles = new Map<string, ChangedFiles>();
  const visits = await visitServers(context, targets, options, planOf, {
    onInspected,
    prepare: async (name, target) => {
      const entry = byName.get(name);
      if (entry && options.isAsked) changedFiles.set(name, await readChangedFiles(context, entry, target));
      return prepareForApproval(context, entry, name, target, options);
    },
  });
  const drift = checkLock(lock, answersByName(visits), {
    only: entries.map(({ name }) => name),
    names: options.names,
  });
  const driftByName = new Map(drift.servers.map((server) => [server.server, server]));

  const candidates: Candidate[] = [];
  const failures: { name: string; error: unknown }[] = [];
  for (const visit of visits) {
    const { name } = visit;
    const [before, compared] = [byName.get(name), driftByName.get(name)];
    if (before === undefined || compared === undefined) continue;
    if ("error" in visit) {
      failures.push(visit);
      continue;
    }
    if (compared.failure !== undefined) {
      failures.push({ name, error: new CliError("server-garbage", compared.failure.message) });
      continue;
    }
    try {
      const after = entryToApprove(context, before, visit.answers, allowed(name, visit.answers));
      noticeScripts(context, before, after);
      const files = changedFiles.get(name);
      const whole = withNewVaries(compared, before, after);
      candidates.push({ before, after, drift: whole, ...(files && { changedFiles: files }) });
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      failures.push({ name, error });
    }
  }
  const reviewed = new Map(candidates.map((candidate) => [candidate.before.name, candidate.drift]));
  const servers = drift.servers.map((each) => reviewed.get(each.server) ?? each);
  return { targets, files: exact.files, drift: { ...drift, servers }, candidates, failures };
}

/** Returns the comparison, with those members added that vary in the new entry but not in the current one. */
function withNewVaries(compared: ServerDrift, { varies = [] }: LockedServer, after: LockedServer): ServerDrift {
  const drifts = diffVaries(varies, [...varies, ...(after.varies ?? [])]);
  return drifts.length === 0 ? compared : { ...compared, outcome: "drift", drifts: [...compared.drifts, ...drifts] };
}

/** Shows the files of a launch that differ from the pinned ones, before they are started. */
function noticeChangedFiles(context: Context, entry: LockedServer | undefined, files: readonly LockedFile[]): void {
  if (entry === undefined) return;
  const found = new Map(files.map(({ pointer, digest }) => [pointer, digest]));
  const changed = pinnedFiles(entry).filter(
    ({ pointer, digest }) => found.has(pointer) && found.get(pointer) !== digest,
  );
  const lines = changed.map(
    ({ pointer, digest }) =>
      `${escapeText(entry.name)} is started with a file other than the pinned one, launch at ${pointer}: SHA-256 ${digest} → ${found.get(pointer)}`,
  );
  if (lines.length > 0) printNotices(context, lines);
}

/** Shows which packages may run install scripts, even if an earlier review allowed that. */
function noticeScripts(context: Context, before: LockedServer, after: LockedServer): void {
  const [known, scripts] = [scriptsOf(before), scriptsOf(after)];
  if (scripts.length === 0) return;
  const names = scripts.map((each) => escapeText(known.includes(each) ? each : `${each} (new)`));
  printNotices(context, [
    `${escapeText(after.name)}: ${names.join(", ")} may run install scripts, which ran before the server was started`,
  ]);
}

function scriptsOf({ artifacts = [] }: LockedServer): readonly string[] {
  return [...new Set(artifacts.flatMap(({ scripts = [] }) => scripts))];
}

async function targetsOf(
  context: Context,
  entries: readonly LockedServer[],
  launched: readonly string[],
  options: EntriesOptions,
): Promise<ServerTarget[]> {
  const given = await targetsFromArguments(context, options, launched, () => onlyName(entries));
  const givenByName = new Map(given.map((target) => [target.name, target]));
  return entries.map(
    ({ name, launch }) =>
      givenByName.get(name) ?? targetFromEnvironment(context, name, launch, namedLock(options.lock)),
  );
}

/** Returns the name of the one server to which the command or URL on the command line belongs. */
function onlyName(entries: readonly LockedServer[]): string {
  const [only, ...others] = entries;
  if (only !== undefined && others.length === 0) return only.name;
  throw new CliError("usage", "several servers cannot share one launch", {
    expected: "exactly one server name with a command after -- or with --url",
  });
}

/** Refuses a visit in one era for an entry with both, because the new entry would lack the other era. */
function requireWholeServer(entry: LockedServer, { protocol }: EntriesOptions): void {
  if (protocol === "auto") return;
  if (new Set(entry.sessions.map(({ session }) => session.split("/")[0])).size < 2) return;
  throw new CliError(
    "usage",
    `${entry.name} is pinned in both eras of the protocol, and visits.protocol requests one`,
    {
      where: "the configuration of agentprint, at /visits/protocol",
      expected: "a visit in both eras",
      fix: "approve again without visits.protocol",
    },
  );
}
