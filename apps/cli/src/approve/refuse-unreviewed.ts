import type { Drift } from "@agentprint/mcp-lock";
import { reviewedDigest } from "../check/approve-line.ts";
import { CliError } from "../run/errors.ts";
import type { Candidate } from "./candidate.ts";
import type { OtherFix } from "./notice-other-launches.ts";

/**
 * Returns the error for a visit whose state differs from the reviewed one; `undefined` if the states are the same. For
 * a single server, the digest of its tools is enough if only tools changed.
 */
export function refuseUnreviewed(
  expected: string,
  candidates: readonly Candidate[],
  otherFix: OtherFix,
): CliError | undefined {
  const states = candidates.map(({ after }) => after);
  const digest = reviewedDigest(states);
  if (expected === digest) return undefined;
  const [only, ...others] = candidates;
  if (only !== undefined && others.length === 0) return refuseOne(expected, only, otherFix);
  const fix = otherFix(states.map(({ name }) => name));
  return new CliError("not-reviewed", "the servers are not in the states that were reviewed; the lock is unchanged", {
    expected: `digest ${expected}`,
    where: `digest ${digest} of ${states.map(({ name }) => name).join(", ")}`,
    fix: fix ?? "review the differences above, then approve the same servers with the digest of all of them",
  });
}

function refuseOne(expected: string, { after, drift }: Candidate, otherFix: OtherFix): CliError | undefined {
  const isTools = expected === after.toolsDigest;
  if (isTools && drift.drifts.every(isOfTools)) return undefined;
  const fix = otherFix([after.name]);
  return new CliError(
    "not-reviewed",
    isTools
      ? `the tools of ${after.name} are in the state that was reviewed, but something else changed, too; the lock is unchanged`
      : `${after.name} is not in the state that was reviewed; the lock is unchanged`,
    {
      expected: `digest ${expected}`,
      where: `digest ${after.digest}, tools digest ${after.toolsDigest}`,
      fix:
        fix ??
        "review the difference above (agentprint check shows it, too, with visits.views all in agentprint.config.json), then approve with the entry's digest",
    },
  );
}

function isOfTools(drift: Drift): boolean {
  if ("kind" in drift) return drift.kind === "tool";
  return drift.type === "tool-changed" || drift.type === "tool-renamed";
}
