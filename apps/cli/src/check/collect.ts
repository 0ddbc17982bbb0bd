import { type JudgedReport, outcomeOf, type Report, worstOutcome } from "@agentprint/findings";
import type { CheckFailure } from "@agentprint/mcp";
import type { DriftReport, LockFile } from "@agentprint/mcp-lock";
import { checkLockLazily } from "@agentprint/mcp-lock/check";
import { driftToReport, type LockPlace } from "@agentprint/mcp-lock/rules";
import type { ServerTarget } from "../launch/server-target.ts";
import type { Context } from "../run/context.ts";
import { AGE } from "../sources/age/age.ts";
import { BASE } from "../sources/base/base.ts";
import { CONFIGURATIONS } from "../sources/configurations/configurations.ts";
import { DRIFT } from "../sources/drift/drift.ts";
import { GUARDS } from "../sources/guards/guards.ts";
import { LOGINS } from "../sources/logins/logins.ts";
import { NAMES } from "../sources/names/names.ts";
import { PERMISSIONS } from "../sources/permissions/permissions.ts";
import { POLICY } from "../sources/policy/policy.ts";
import { SKILLS } from "../sources/skills/skills.ts";
import type { Found, Project, Source, Visits } from "../sources/source.ts";
import { STATEMENTS } from "../sources/statements/statements.ts";
import type { ProvenAuthors } from "../statement/author-statements.ts";
import { printNotices } from "../terminal/notices.ts";
import { answersByName, type VisitResult } from "../visit/visit-servers.ts";
import type { CheckedProject } from "./read-project.ts";

/** All sources, in the order in which the report lists their findings. */
const SOURCES: readonly Source[] = [
  DRIFT,
  STATEMENTS,
  CONFIGURATIONS,
  SKILLS,
  NAMES,
  PERMISSIONS,
  BASE,
  AGE,
  LOGINS,
  POLICY,
  GUARDS,
];

/** The findings of all sources of a project. */
export interface Collected {
  /** The part to which a policy applies. */
  readonly report: Report;
  /** The parts to which no policy applies. */
  readonly beyond: readonly Found[];
  /** Whether a finding is about a change that no person has to accept. */
  readonly isAccepted?: ProvenAuthors["isAccepted"];
}

/**
 * Compares what servers answered with the lock of their project. A server that was not started, because a configuration launches it
 * differently, counts as unreadable.
 */
export async function compareVisits(
  { file, lock, lockText, agreement }: CheckedProject,
  targets: readonly ServerTarget[],
  results: readonly VisitResult[],
): Promise<Visits> {
  const visited = targets.map(({ name }) => name);
  const notStarted = [...(agreement?.other.keys() ?? [])].filter((name) => !visited.includes(name));
  const found = { ...answersByName(results), ...Object.fromEntries(notStarted.map((name) => [name, NOT_STARTED])) };
  const drift = await checkLockLazily(lock, found, { only: [...visited, ...notStarted] });
  return visitsOf(drift, { lockFile: file, lockText }, async () => {
    const { visitedServers } = await import("../statement/author-statements.ts");
    return visitedServers(results, lock);
  });
}

/**
 * Reports servers that were not visited although another one changed: their new tools are unknown, so text that names
 * such a tool has no signal.
 */
export function noticeUnvisited(context: Context, lock: LockFile, { outcome, servers }: DriftReport): void {
  const visited = new Set(servers.map(({ server }) => server));
  const others = lock.servers.map(({ name }) => name).filter((name) => !visited.has(name));
  if (outcome !== "drift" || others.length === 0) return;
  const [was, has] = others.length === 1 ? ["was", "it has"] : ["were", "they have"];
  printNotices(context, [
    `${others.join(", ")} ${was} not visited: tools that ${has} added since the lock are unknown here, so text that names one has no signal; agentprint check knows them`,
  ]);
}

const NOT_STARTED: CheckFailure = {
  failure: {
    code: "not-started",
    message: "it was not started, because a configuration launches it differently than pinned",
  },
};

/** Returns the results of visits from the drift that was found. */
export function visitsOf(drift: DriftReport, place: LockPlace = {}, served: Visits["served"] = async () => []): Visits {
  return { drift, report: driftToReport(drift, place), served };
}

/** Runs the sources that a project needs. */
export async function collectFindings(project: Project, visits: Visits): Promise<Collected> {
  const all: Found[] = [];
  for (const source of SOURCES) {
    const found = source.needed(project) ? await source.findings(project, visits) : undefined;
    if (found !== undefined) all.push(found);
  }
  const ruled = all.filter(({ isBeyondPolicy }) => !isBeyondPolicy);
  const { couldNotTell, servers } = visits.report;
  const empty: Report = { ...visits.report, findings: [], rules: {}, checked: [] };
  const report = {
    ...ruled.reduce(withFindings, empty),
    couldNotTell: ruled.some(({ isComplete }) => isComplete) ? undefined : couldNotTell,
    summary: inWords(ruled, servers?.length === 0),
  };
  const accepting = all.find(({ accepted }) => accepted !== undefined);
  return {
    report,
    beyond: all.filter(({ isBeyondPolicy }) => isBeyondPolicy),
    ...(accepting?.accepted && { isAccepted: accepting.accepted.isAccepted }),
  };
}

/**
 * Joins the summaries of the sources, the last source first. Without servers, uses only the sources that are complete
 * without any, if there are some.
 */
function inWords(all: readonly Found[], isWithoutServer: boolean): string {
  const complete = all.filter(({ isComplete, says }) => isComplete && says !== undefined);
  const said = isWithoutServer && complete.length > 0 ? complete : all;
  return said
    .flatMap(({ says }) => says ?? [])
    .reverse()
    .join("; ");
}

/** Adds the findings that no policy affects to a judged report. */
export function withFound(report: JudgedReport, found: Found): JudgedReport {
  const { first = [], last = [], says } = found;
  const counting = [...first, ...last].filter(({ isRemark }) => !isRemark);
  return {
    ...withFindings(report, found),
    outcome: worstOutcome([report.outcome, outcomeOf({ findings: counting })]),
    summary: says === undefined ? report.summary : `${says}; ${report.summary}`,
  };
}

/** Adds another source's findings to a report, with their rules and what was checked for them. */
function withFindings<Any extends Pick<Report, "findings" | "rules" | "checked">>(report: Any, found: Found): Any {
  const { first, last = [], rules, accepted } = found;
  const findings = report.findings.map((finding) =>
    accepted?.isAccepted(finding) ? { ...finding, note: accepted.note } : finding,
  );
  const checked = found.checked ?? [...(first ?? []), ...last].map(({ place }) => place.subject);
  return {
    ...report,
    findings: [...(first ?? []), ...findings, ...last],
    rules: { ...report.rules, ...rules },
    checked: [...new Set(first ? [...checked, ...report.checked] : [...report.checked, ...checked])],
  };
}
