import type { LockFile } from "@agentprint/mcp-lock/lock";
import type { Base } from "../base-commit/read-base.ts";
import { addEnvAndHeaders, targetsFromArguments } from "../clients/targets-from-arguments.ts";
import type { Agreement } from "../compare-configs/compare-configs.ts";
import { type LaunchValues, type ServerTarget, targetFromEnvironment } from "../launch/server-target.ts";
import { namedLock, nothingPinned } from "../lock/read-lock.ts";
import { CliError, isExplained } from "../run/errors.ts";
import type { Project } from "../sources/source.ts";
import { unknownName } from "../terminal/unknown-name.ts";
import type { CheckRequest } from "./check-request.ts";

/** Returns the servers to visit, with their launches. A launch that the base does not have fails before it starts. */
export async function planTargets(project: Project, request: CheckRequest): Promise<ServerTarget[]> {
  const { context, base } = project;
  const selected = await selectTargets(project, request);
  const complete = (some: readonly ServerTarget[]) => addEnvAndHeaders(context, some, request.launch);
  if (base === undefined || request.allowChangedLaunch) return complete(selected);
  return heldBackTargets(project, selected, complete, base);
}

/** Returns the targets; a target whose program or values the change chose fails before it starts. */
async function heldBackTargets(
  { context, file }: Project,
  selected: readonly ServerTarget[],
  complete: (targets: readonly ServerTarget[]) => ServerTarget[],
  base: Base,
): Promise<ServerTarget[]> {
  const { holdBackEnvFiles, holdBackLaunches, holdBackValues } = await import("../base-commit/hold-back.ts");
  const compared = holdBackEnvFiles(context, holdBackValues(context, selected, base, file), base);
  return holdBackLaunches(complete(compared), base);
}

/**
 * Returns the targets to visit: the servers that the command line names, or else all. A launch that the command line
 * gives overrides the locked launch.
 */
async function selectTargets(
  { context, file, lock, agreement }: Project,
  request: CheckRequest,
): Promise<ServerTarget[]> {
  const { servers, launch, launched } = request;
  const locked = lock.servers.map(({ name, launch }) => targetFromEnvironment(context, name, launch, namedLock(file)));
  const given = agreement
    ? []
    : await targetsFromArguments(context, launch, launched, () => onlyName(servers, lock, file));
  const agreed = agreement ? await targetsOfAgreement(agreement, locked, request) : locked;
  const targets = new Map([...agreed, ...given].map((target) => [target.name, target]));
  const isNotStarted = (name: string): boolean =>
    agreement !== undefined && (agreement.other.has(name) || agreement.unpinned.has(name));
  if (servers.length > 0) {
    return [...new Set(servers)].flatMap((name) => {
      const target = targets.get(name);
      if (target === undefined && !isNotStarted(name)) throw notPinned(name, lock, file);
      return target ?? [];
    });
  }
  if (targets.size > 0 || (agreement && agreement.findings.length > 0) || lock.skills) return [...targets.values()];
  throw nothingPinned(`no server is pinned in ${file}`);
}

async function targetsOfAgreement(
  agreement: Agreement,
  locked: readonly ServerTarget[],
  { allowChangedLaunch, launch: { mcpConfig } }: CheckRequest,
): Promise<ServerTarget[]> {
  // A server that is not in the lock is visited if the command line names its configuration.
  const started = mcpConfig.length > 0 ? agreement : { ...agreement, unpinned: new Map() };
  return await agreedTargets(locked, started, allowChangedLaunch);
}

/** Returns the name of the one pinned server to which the command or URL on the command line belongs. */
function onlyName(servers: readonly string[], lock: LockFile, file: string): string {
  const [name, ...others] = servers;
  if (name !== undefined && others.length === 0) return name;
  throw new CliError("usage", "name the pinned server that this command starts", {
    expected: "exactly one server name",
    fix: `name the server: agentprint check <server> -- <command…>, where ${file} has ${namesOf(lock).join(", ") || "no server"}`,
  });
}

function notPinned(name: string, lock: LockFile, file: string): CliError {
  return unknownName(`${name} is not in ${file}`, name, namesOf(lock), "name one of these, or pin the server first");
}

function namesOf(lock: LockFile): string[] {
  return lock.servers.map((server) => server.name);
}

/**
 * Returns the servers to visit, by name: the lock's, with the values of a client whose launch matches the lock. A
 * server that clients launch differently is left out, unless changed launches are allowed.
 *
 * @param locked The servers in the lock, with values from the environment
 * @param mayStart Whether launches that differ from the lock are started
 */
async function agreedTargets(
  locked: readonly ServerTarget[],
  { same, other, unpinned }: Pick<Agreement, "same" | "other" | "unpinned">,
  mayStart: boolean,
): Promise<ServerTarget[]> {
  const known = locked.map(async (target): Promise<ServerTarget[]> => {
    const otherwise = other.get(target.name);
    if (mayStart && otherwise) return [otherwise];
    const configured = same.get(target.name);
    if (configured !== undefined) return [await completeTarget(configured, target)];
    return otherwise ? [] : [target];
  });
  return [...(await Promise.all(known)).flat(), ...(mayStart ? unpinned.values() : [])];
}

/**
 * Returns the configured target. If its configuration lacks a value, the target comes from the lock, and its values
 * come from the environment.
 */
async function completeTarget(configured: ServerTarget, locked: ServerTarget): Promise<ServerTarget> {
  try {
    await configured.readValues();
    return { ...configured, readValues: async () => spelledAs(locked, await configured.readValues()) };
  } catch (error) {
    if (!isExplained(error)) throw error;
    const readValues = async (): Promise<LaunchValues> => {
      try {
        return await locked.readValues();
      } catch {
        throw error;
      }
    };
    return { ...locked, readValues };
  }
}

/** Returns the values of headers under the names that the lock uses, matched regardless of case. */
function spelledAs({ launch }: ServerTarget, values: LaunchValues): LaunchValues {
  if (launch.type === "stdio") return values;
  const spelling = new Map(launch.headers.map((name) => [name.toLowerCase(), name]));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [spelling.get(name.toLowerCase()) ?? name, value]),
  );
}
