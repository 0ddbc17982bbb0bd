import { type LockedServer, withStatements } from "@agentprint/mcp-lock";
import type { Policy } from "@agentprint/policy/apply";
import type { Context } from "../context.ts";
import { readLock } from "../lock/read-lock.ts";
import { updateLock } from "../lock/update-lock.ts";
import { printNotices } from "../terminal/notices.ts";
import { proveAuthors } from "./author-statements.ts";

/**
 * Writes to a lock which statements of authors hold of servers that were pinned, and prints what is wrong with the others.
 *
 * @param file The path of the lock
 */
export async function recordStatements(
  context: Context,
  entries: readonly LockedServer[],
  policy: Policy,
  file: string,
): Promise<void> {
  const { lock } = await readLock(context, file);
  const servers = entries.map((served) => ({ served }));
  const { findings, held } = await proveAuthors(context, servers, { policy, file, lock });
  printNotices(
    context,
    findings.map(({ rule, message, place }) => `${place.subject}: ${message} (${rule})`),
  );
  if (held.length > 0) await updateLock(context, file, (current) => withStatements(current ?? lock, held));
}
