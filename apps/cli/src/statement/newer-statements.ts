import { type LockedStatement, type LockFile, withStatements } from "@agentprint/mcp-lock";

/**
 * Returns the lock with these statements accepted, except where it already has the same or a newer one, so that
 * anything that another writer has accepted in the meantime is kept.
 */
export function withNewerStatements(lock: LockFile, statements: readonly LockedStatement[]): LockFile {
  const present = new Map((lock.statements ?? []).map((each) => [each.server, each]));
  const newer = statements.filter(({ server, sha256, issued }) => {
    const before = present.get(server);
    return before === undefined || (before.sha256 !== sha256 && before.issued < issued);
  });
  return newer.length === 0 ? lock : withStatements(lock, newer);
}
