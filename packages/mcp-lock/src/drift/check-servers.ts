import { compareCodeUnits, isJsonObject, type JsonValue } from "@agentprint/canonical-json";
import { worstOutcome } from "@agentprint/findings";
import { type CheckFailure, itemName, type VisitAnswers } from "@agentprint/mcp";
import { groupEntries } from "../group-entries.ts";
import type { LockFile } from "../lock/lock.ts";
import { checkServer } from "./check-server.ts";
import type { DriftReport, NameCollision } from "./drift.ts";
import type { Judge } from "./judge.ts";
import { findLookAlikes } from "./look-alike-tools.ts";

/** Options for comparing servers with a lock. */
export interface CheckOptions {
  /**
   * The names of the servers to check; all others are omitted from the report. Default: every server in the lock and in
   * `servers`.
   */
  readonly only?: readonly string[];
  /**
   * Whether the lock was just made from these servers. If so, all remarks about a first version are noted, and not only
   * those about definitions that the lock does not hold. Default `false`.
   */
  readonly isFirst?: boolean;
  /**
   * Further names of servers and tools that count as signals in a changed text, such as those known to an earlier check
   * of more servers. Default: none.
   */
  readonly names?: readonly string[];
}

/** Compares servers with their lock entries; `createJudge` creates the judge of one comparison's schemas. */
export function checkServers(
  lock: LockFile,
  servers: Readonly<Record<string, VisitAnswers | CheckFailure>>,
  options: CheckOptions,
  createJudge: () => Judge,
): DriftReport {
  const locked = new Map(lock.servers.map((server) => [server.name, server]));
  const found = new Map(Object.entries(servers));
  const names = new Set(options.only ?? [...locked.keys(), ...found.keys()]);
  const tools = toolNames(lock, found);
  const known = allNames(lock, tools, options.names);
  const comparison = { createJudge, isFirst: options.isFirst ?? false, names: known };
  const checked = [...names]
    .sort(compareCodeUnits)
    .map((name) => checkServer(name, locked.get(name), found.get(name) ?? NOT_READ, comparison));
  return {
    outcome: checked.length === 0 ? "unknown" : worstOutcome(checked.map(({ outcome }) => outcome)),
    servers: checked,
    collisions: findCollisions(tools),
    lookAlikes: findLookAlikes(tools),
    names: known,
  };
}

const NOT_READ: CheckFailure = { failure: { code: "not-read", message: "The server was not read" } };

/** Returns the tools that at least one session saw. */
function toolsOfVisit({ sessions }: VisitAnswers): readonly JsonValue[] {
  const readings = sessions.map(({ lists }) => lists.tools?.at(-1) ?? []);
  return readings.flat().flatMap(({ tools }) => (Array.isArray(tools) ? tools : []));
}

/** Returns the tools of each server. For a server that was not read, these are the tools of its lock entry. */
export function toolNames(
  lock: LockFile,
  found: ReadonlyMap<string, VisitAnswers | CheckFailure>,
): Map<string, Set<string>> {
  const toolsOf = new Map<string, readonly JsonValue[]>(
    lock.servers.map(({ name, tools }) => [name, tools.map(({ definition }) => definition)]),
  );
  for (const [server, state] of found) if (!("failure" in state)) toolsOf.set(server, toolsOfVisit(state));
  const nameOf = (tool: JsonValue) => (isJsonObject(tool) ? tool["name"] : undefined);
  return new Map(
    [...toolsOf].map(([server, tools]) => [
      server,
      new Set(tools.map(nameOf).filter((name) => typeof name === "string")),
    ]),
  );
}

/** Returns the names of servers and tools, including the further ones and those in the lock that no longer exist. */
export function allNames(
  lock: LockFile,
  toolsOf: ReadonlyMap<string, ReadonlySet<string>>,
  further: readonly string[] = [],
): string[] {
  const locked = lock.servers.flatMap(({ tools }) => tools.map(({ definition }) => itemName("tool", definition)));
  const offered = [...toolsOf.values()].flatMap((tools) => [...tools]);
  const names = new Set([...toolsOf.keys(), ...locked, ...offered, ...further]);
  return [...names].sort(compareCodeUnits);
}

/** Finds tool names that several servers offer. */
function findCollisions(toolsOf: ReadonlyMap<string, ReadonlySet<string>>): NameCollision[] {
  const offers = [...toolsOf].flatMap(([server, names]) => [...names].map((name): [string, string] => [name, server]));
  return [...groupEntries(offers)]
    .filter(([, names]) => names.length > 1)
    .map(([name, names]) => ({ name, servers: names.sort(compareCodeUnits) }))
    .sort((a, b) => compareCodeUnits(a.name, b.name));
}
