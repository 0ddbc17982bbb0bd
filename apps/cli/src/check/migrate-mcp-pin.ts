import { diffLocks, LOCK_VERSION, type LockedServer } from "@agentprint/mcp-lock";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { approvedEntry, readMcpPin } from "./mcp-pin.ts";

/**
 * Requires that servers send what a lock file of mcp-pin approves.
 *
 * @throws {@link CliError} `unreadable-input` when the file cannot be read, or does not approve what a server sends
 */
export async function requireApproved(context: Context, entries: readonly LockedServer[], file: string): Promise<void> {
  const approved = await readMcpPin(context, file);
  const others = entries.filter((entry) => {
    const own = approved.get(entry.name);
    if (own === undefined) return true;
    const lockOf = (server: LockedServer) => ({ lockVersion: LOCK_VERSION, servers: [server] }) as const;
    return diffLocks(lockOf(approvedEntry(entry, own, file)), lockOf(entry)).outcome !== "same";
  });
  if (others.length === 0) return;
  throw new CliError(
    "unreadable-input",
    `${file} does not approve what ${others.map(({ name }) => name).join(", ")} sends`,
    {
      where: file,
      expected: "the definitions that the file holds, in every session",
      fix: `review the changes: agentprint check --lock ${file}; or pin again, without --migrate, after a review`,
    },
  );
}
