import type { Finding } from "@agentprint/findings";
import { entryAsLaunched, LOCK_VERSION, type LockedServer } from "@agentprint/mcp-lock";
import { judgeRelease } from "@agentprint/release";
import { entryOf } from "../diff/compare-sides.ts";
import { readLockIfPresent } from "../lock/read-lock.ts";
import { updateLock } from "../lock/update-lock.ts";
import type { Context } from "../run/context.ts";
import { SNAPSHOT } from "./released-side.ts";

/**
 * Returns the finding on the snapshot in the repository if its tools differ from those of the working tree; none if
 * there is no snapshot. Another version of the server is not a difference.
 *
 * @throws {@link CliError} `unreadable-input`, `too-large`, and `usage` if the snapshot has several servers
 */
export async function snapshotFindings(context: Context, entry: LockedServer): Promise<Finding[]> {
  const found = await readLockIfPresent(context, SNAPSHOT);
  if (found === undefined) return [];
  const { changes } = judgeRelease(entryOf(found), entry);
  const different = changes.filter(({ finding }) => finding.rule !== "mcp/server-version-changed");
  if (different.length === 0) return [];
  const subjects = [...new Set(different.map(({ finding }) => finding.place.subject))];
  return [
    {
      rule: "release/snapshot-differs",
      level: "error",
      place: { subject: SNAPSHOT, location: { file: SNAPSHOT } },
      message: "the snapshot does not match the tools of the working tree",
      note: `Differs: ${subjects.join(", ")}; to rewrite it, run: agentprint release --init`,
    },
  ];
}

/** Writes the tools of the working tree as the snapshot, without digests of the built files, which change with every build. */
export async function writeSnapshot(context: Context, entry: LockedServer): Promise<void> {
  await updateLock(context, SNAPSHOT, () => ({ lockVersion: LOCK_VERSION, servers: [entryAsLaunched(entry, entry)] }));
}
