import { type LockedServer, withAuthorKeys } from "@agentprint/mcp-lock";
import type { Policy } from "@agentprint/policy/apply";
import { readLock } from "../lock/read-lock.ts";
import { updateLock } from "../lock/update-lock.ts";
import type { Context } from "../run/context.ts";
import { printNotices } from "../terminal/notices.ts";
import { proveAuthors, withoutRotations } from "./author-statements.ts";
import { withNewerStatements } from "./newer-statements.ts";

/**
 * Writes to a lock which authors' statements are valid for the pinned servers, and prints what is wrong with the
 * others.
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
  const { findings, held, keys } = await proveAuthors(context, servers, { policy, file, lock });
  printNotices(
    context,
    findings.map(({ rule, message, place }) => `${place.subject}: ${message} (${rule})`),
  );
  const learned = withoutRotations(keys);
  if (held.length + learned.length === 0) return;
  await updateLock(context, file, (current) => withAuthorKeys(withNewerStatements(current ?? lock, held), learned));
}
