import {
  type CheckFailure,
  checkLock,
  type DriftReport,
  type LockFile,
  type ServerSnapshot,
} from "@agentprint/mcp-lock";
import type { VisitError } from "@agentprint/mcp-visit";
import type { CliError } from "../errors.ts";
import type { Start } from "../launch/start.ts";
import type { VisitOptions } from "../visit-options.ts";

export interface Comparison {
  readonly drift: DriftReport;
  readonly found: Readonly<Record<string, ServerSnapshot | CheckFailure>>;
  /** Why a server could not be told, by name. */
  readonly errors: ReadonlyMap<string, CliError | VisitError>;
}

/** Visits servers, with the client capabilities that they were pinned with, and compares them with the lock. */
export async function compareWithLock(
  lock: LockFile,
  starts: readonly Start[],
  concurrency: number,
  options: VisitOptions,
): Promise<Comparison> {
  // The SDK takes longer to load than most commands take to run.
  const { foundServers, visitAll } = await import("../visit/visit-all.ts");
  const pinned = new Map(lock.servers.map((server) => [server.name, server.clientCapabilities]));
  const visits = await visitAll(starts, concurrency, options, (name) => options.capabilities ?? pinned.get(name) ?? {});
  const found = foundServers(visits);
  return {
    drift: checkLock(lock, found, { only: starts.map((start) => start.name) }),
    found,
    errors: new Map(visits.flatMap((visit) => ("error" in visit ? [[visit.name, visit.error] as const] : []))),
  };
}
