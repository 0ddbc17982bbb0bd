import {
  type CheckFailure,
  checkLock,
  type DriftReport,
  type LockEntry,
  type LockFile,
  type VisitAnswers,
} from "@agentprint/mcp-lock";
import type { VisitError } from "@agentprint/mcp-visit";
import type { Context } from "../context.ts";
import type { CliError } from "../errors.ts";
import type { Start } from "../launch/start.ts";
import type { VisitPlan } from "../visit/visit-plan.ts";
import type { VisitOptions } from "../visit-options.ts";

export interface Comparison {
  readonly drift: DriftReport;
  readonly found: Readonly<Record<string, VisitAnswers | CheckFailure>>;
  /** Why a server could not be told, by name. */
  readonly errors: ReadonlyMap<string, CliError | VisitError>;
}

/** Visits servers in the way that goes with their entries, and compares them with the lock. */
export async function compareWithLock(
  context: Context,
  lock: LockFile,
  starts: readonly Start[],
  concurrency: number,
  options: VisitOptions,
  planOf: (entry: LockEntry | undefined, options: VisitOptions) => VisitPlan,
): Promise<Comparison> {
  // What visits a server takes longer to load than most commands take to run.
  const { foundServers, visitAll } = await import("../visit/visit-all.ts");
  const entries = new Map(lock.servers.map((entry) => [entry.name, entry]));
  const visits = await visitAll(context, starts, concurrency, options, (name) => planOf(entries.get(name), options));
  const found = foundServers(visits);
  return {
    drift: checkLock(lock, found, { only: starts.map((start) => start.name) }),
    found,
    errors: new Map(visits.flatMap((visit) => ("error" in visit ? [[visit.name, visit.error] as const] : []))),
  };
}
