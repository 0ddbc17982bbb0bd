import type { Finding, JudgedReport, Report } from "@agentprint/findings";
import type { DriftReport } from "@agentprint/mcp-lock";
import { itemSubject } from "@agentprint/mcp-lock/rules";
import { isFrozenByPreset, type Policy } from "@agentprint/policy/apply";
import { leavesOut, reportByPolicy } from "../policy/report-by-policy.ts";
import { CONFIG_RULES } from "../rules/check-rules.ts";
import type { Project, Visits } from "../sources/source.ts";
import { type Collected, withFound } from "./collect.ts";

/** A check under its policy. */
export interface Judged {
  readonly report: JudgedReport;
  /** The part of the check that the policy affects. */
  readonly byPolicy: JudgedReport;
  /** The servers with findings that the policy leaves out. */
  readonly leftOut: readonly string[];
}

/** Judges the sources' findings by the policy in force. */
export function judge(
  { context, judgement, agreement }: Project,
  { drift }: Visits,
  { report: whole, beyond, isAccepted }: Collected,
): Judged {
  const { policy } = judgement.policy;
  const guarded = agreement?.guarded ?? new Set<string>();
  const assumed = assumedGuards(whole.findings, policy, guarded);
  const isGuarded = keptByGuards(drift, guarded);
  const judged = reportByPolicy(context, whole, judgement.policy, { isGuarded, ...(isAccepted && { isAccepted }) });
  const [found, shown] = [whole, judged].map(aboutServers) as [readonly Finding[], readonly Finding[]];
  const leftOut = drift.servers.map(({ server }) => server).filter((server) => leavesOut(found, shown, server));
  const byPolicy = {
    ...judged,
    data: { ...drift, ...(leftOut.length > 0 && { leftOut }), ...(assumed && { assumed }) },
  };
  const change = [...beyond.flatMap((each) => each.change ?? []), ...(assumed ? [assumptionInWords(assumed)] : [])];
  const report = { ...beyond.reduce(withFound, byPolicy), ...(change.length > 0 && { change }) };
  return { report, byPolicy, leftOut };
}

/** Returns the findings about what servers offer, not about their configurations. */
function aboutServers({ findings }: Pick<JudgedReport, "findings">): readonly Finding[] {
  return findings.filter(({ rule }) => !Object.hasOwn(CONFIG_RULES, rule));
}

/** Whether a finding is about something behind a guard that the guard can keep as it was locked. */
type IsGuarded = (finding: Pick<Finding, "place">) => boolean;

/** A report's assumption about which servers clients start through a guard, and which without one. */
interface AssumedGuards {
  readonly guarded: readonly string[];
  readonly notGuarded: readonly string[];
}

/**
 * Returns which parts of some servers a guard can keep. A tool is blocked instead of kept unless it is proven that the
 * calls that its locked schema allows are still accepted.
 *
 * @param guarded The servers that clients start through a guard
 */
function keptByGuards({ servers }: DriftReport, guarded: ReadonlySet<string>): IsGuarded {
  const blocked = new Set(
    servers.flatMap(({ server, drifts }) =>
      drifts.flatMap((drift) => {
        const isProven = !("schemas" in drift) || drift.schemas.every(({ verdict }) => verdict === "compatible");
        return isProven || !("name" in drift) ? [] : [itemSubject(server, "tool", drift.name)];
      }),
    ),
  );
  return ({ place }) => guarded.has(place.server ?? "") && !blocked.has(place.subject);
}

/**
 * Returns the report's assumptions about the servers whose findings have a different level behind a guard; `undefined`
 * if there are none.
 */
function assumedGuards(
  findings: Report["findings"],
  policy: Policy,
  guarded: ReadonlySet<string>,
): AssumedGuards | undefined {
  const kept = findings.filter((finding) => isFrozenByPreset(finding, policy));
  const servers = [...new Set(kept.flatMap(({ place }) => place.server ?? []))].sort();
  if (servers.length === 0) return undefined;
  return {
    guarded: servers.filter((server) => guarded.has(server)),
    notGuarded: servers.filter((server) => !guarded.has(server)),
  };
}

/** Returns the assumption in one sentence. */
function assumptionInWords({ guarded, notGuarded }: AssumedGuards): string {
  const behind = `${guarded.join(", ")} behind the guard, which keeps texts and schemas as they were locked`;
  const open = `${notGuarded.join(", ")} without a guard, so models read the changed texts`;
  const parts = [...(guarded.length > 0 ? [behind] : []), ...(notGuarded.length > 0 ? [open] : [])];
  return `Levels assume that clients start ${parts.join("; and ")}`;
}
