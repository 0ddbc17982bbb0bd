import type { Drift, DriftReport, LockEntry } from "@agentprint/mcp-lock";
import { CliError } from "../errors.ts";

/**
 * Why the state found is not the one that was reviewed; nothing when it is. The digest of the tools takes a state in
 * which nothing but tools differs.
 */
export function refuseUnreviewed(expected: string, now: LockEntry, drift: DriftReport): CliError | undefined {
  if (expected === now.digest) return undefined;
  const isTools = expected === now.toolsDigest;
  if (isTools && drift.servers.every(({ drifts }) => drifts.every(isOfTools))) return undefined;
  return new CliError(
    "not-reviewed",
    isTools
      ? `the tools of ${now.name} are in the state that was reviewed, but something else changed, too; the lock is unchanged`
      : `${now.name} is not in the state that was reviewed; the lock is unchanged`,
    {
      expected: `digest ${expected}`,
      where: `digest ${now.digest}, tools digest ${now.toolsDigest}`,
      fix: "review the difference above (agentprint check --views all shows it, too), then approve with the digest of the whole entry",
    },
  );
}

function isOfTools(drift: Drift): boolean {
  if ("kind" in drift) return drift.kind === "tool";
  return drift.type === "tool-changed" || drift.type === "tool-renamed";
}
