import type { Finding } from "@agentprint/findings";
import type { LockFile } from "@agentprint/mcp-lock/lock";
import type { Context } from "../run/context.ts";
import { readLockHistory } from "./lock-history.ts";

/**
 * Returns a warning for each entry that nobody has pinned or approved for a while: the commit that gave the entry its present
 * state is older. The lock has no such time, which would change it where nothing else changes.
 *
 * @param file The path of the lock
 * @param names The servers to report on; all servers if empty
 * @param maxAge In milliseconds
 * @throws {@link CliError} as {@link readLockHistory}
 */
export async function oldPins(
  context: Context,
  { file, lock, names }: { readonly file: string; readonly lock: LockFile; readonly names: readonly string[] },
  maxAge: number,
): Promise<Finding[]> {
  const servers = lock.servers.filter(({ name }) => names.length === 0 || names.includes(name));
  const history = await readLockHistory(context, file, { ...lock, servers });
  return servers.flatMap(({ name }): Finding[] => {
    const change = history.get(name);
    if (change === undefined || change === "uncommitted") return [];
    const { commit, date, isOrOlder } = change;
    if (Date.now() - Date.parse(date) <= maxAge) return [];
    return [
      {
        rule: "lock/pin-not-verified",
        level: "warning",
        place: { subject: name, server: name },
        message: `nobody has pinned or approved the server since ${date}`,
        before: `commit ${commit}${isOrOlder === true ? ", or an older one" : ""}`,
        isRemark: true,
      },
    ];
  });
}
