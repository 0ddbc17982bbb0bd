import { createLock, type LockedServer, type LockFile, type VisitAnswers, withServer } from "@agentprint/mcp-lock";
import { VisitError } from "@agentprint/mcp-visit/errors";
import type { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import { lockNewUnder } from "../lock/lock-new.ts";
import { printError } from "../terminal/report-error.ts";
import { planPin } from "../visit/visit-plan.ts";
import type { VisitOptions } from "../visit-options.ts";
import type { FoundServer } from "./find-servers.ts";
import { profileOf } from "./profile-of.ts";

/** The entries of the servers that can be pinned, and what these servers answered, by their names. */
interface VisitedServers {
  readonly entries: readonly LockedServer[];
  readonly answers: Readonly<Record<string, VisitAnswers>>;
}

/** Visits servers. One that does not start or cannot be pinned is told, and the others are visited all the same. */
export async function visitFound(
  context: Context,
  servers: readonly FoundServer[],
  options: VisitOptions & { readonly concurrency: number },
): Promise<VisitedServers> {
  const targets = servers.map(({ name, target }) => ({ ...target, name }));
  const byName = new Map(servers.map((server) => [server.name, server]));
  const asClient = (name: string): VisitOptions => {
    const server = byName.get(name);
    const as = options.as ?? (server && profileOf(server));
    return as === undefined ? options : { ...options, as };
  };
  const { visitServers } = await import("../visit/visit-servers.ts");
  const visits = await visitServers(context, targets, options.concurrency, options, (name) => planPin(asClient(name)));
  const lockNew = await lockNewUnder(context, options);
  const entries: LockedServer[] = [];
  const answers = new Map<string, VisitAnswers>();
  for (const visit of visits) {
    const { name } = visit;
    try {
      if ("error" in visit) throw visit.error;
      entries.push(lockNew(name, visit.answers));
      answers.set(name, visit.answers);
    } catch (error) {
      if (!(error instanceof CliError || error instanceof VisitError)) throw error;
      printError(context, error, name);
    }
  }
  return { entries, answers: Object.fromEntries(answers) };
}

/** The lock with these entries; an entry that it has is left as it is. */
export function withNewEntries(lock: LockFile | undefined, entries: readonly LockedServer[]): LockFile {
  const before = lock ?? createLock({});
  const pinned = new Set(before.servers.map(({ name }) => name));
  return entries.filter(({ name }) => !pinned.has(name)).reduce<LockFile>(withServer, before);
}
