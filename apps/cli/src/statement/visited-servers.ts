import { type LockedServer, type LockFile, lockServer, McpLockError } from "@agentprint/mcp-lock";
import { entryToApprove } from "../approve/candidate.ts";
import type { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import type { VisitResult } from "../visit/visit-servers.ts";
import type { VisitedServer } from "./author-statements.ts";

/** Returns the servers that answered, beside their entries. One whose answers cannot be pinned is left to the comparison with the lock. */
export function visitedServers(context: Context, visits: readonly VisitResult[], lock: LockFile): VisitedServer[] {
  return visits.flatMap((visit) => {
    if ("error" in visit) return [];
    const locked = lock.servers.find(({ name }) => name === visit.name);
    try {
      return [{ served: entryOf(context, visit, locked), locked }];
    } catch (error) {
      if (error instanceof CliError || error instanceof McpLockError) return [];
      throw error;
    }
  });
}

function entryOf(
  context: Context,
  { name, answers }: Extract<VisitResult, { readonly answers: unknown }>,
  locked: LockedServer | undefined,
): LockedServer {
  return locked === undefined ? lockServer(name, answers) : entryToApprove(context, locked, answers, []);
}
