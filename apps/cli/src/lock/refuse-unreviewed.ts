import type { Drift, DriftReport, LockEntry } from "@agentprint/mcp-lock";
import { CliError } from "../errors.ts";

/**
 * The error when a visit found another state than the one that was reviewed; `undefined` when it found that state. The
 * digest of the tools accepts a state in which nothing but tools changed.
 */
export function refuseUnreviewed(expected: string, after: LockEntry, drift: DriftReport): CliError | undefined {
  if (expected === after.digest) return undefined;
  const isTools = expected === after.toolsDigest;
  if (isTools && drift.servers.every(({ drifts }) => drifts.every(isOfTools))) return undefined;
  return new CliError(
    "not-reviewed",
    isTools
      ? `the tools of ${after.name} are in the state that was reviewed, but something else changed, too; the lock is unchanged`
      : `${after.name} is not in the state that was reviewed; the lock is unchanged`,
    {
      expected: `digest ${expected}`,
      where: `digest ${after.digest}, tools digest ${after.toolsDigest}`,
      fix: "review the difference above (agentprint check --views all shows it, too), then approve with the digest of the whole entry",
    },
  );
}

function isOfTools(drift: Drift): boolean {
  if ("kind" in drift) return drift.kind === "tool";
  return drift.type === "tool-changed" || drift.type === "tool-renamed";
}
