import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { ExitCode, Finding, JudgedReport, Report } from "@agentprint/findings";
import type { VisitAnswers } from "@agentprint/mcp";
import type { DriftReport, LockFile } from "@agentprint/mcp-lock";
import { checkLockLazily } from "@agentprint/mcp-lock/check";
import { driftToReport } from "@agentprint/mcp-lock/rules";
import { changeSentences } from "../base-commit/change-sentences.ts";
import { type PolicyJudgement, withPolicyFindings } from "../base-commit/judge-policy.ts";
import type { Base } from "../base-commit/read-base.ts";
import type { Agreement } from "../compare-configs/compare-configs.ts";
import { nextLines, withConfigsOf } from "../compare-configs/next-lines.ts";
import { namesInOtherCase, withOtherCases } from "../compare-configs/other-case.ts";
import { isAboutConfig, withAgreement } from "../compare-configs/report-agreement.ts";
import { wrappedFolder } from "../files/state-folder.ts";
import { isHookSetUp, type ServerState, writeStates } from "../guard/state-file.ts";
import { statesOfCheck } from "../guard/states-of-check.ts";
import type { ServerTarget } from "../launch/server-target.ts";
import { reviewedDigest } from "../lock/reviewed-digest.ts";
import type { LaunchOptions } from "../options/visit-options.ts";
import { withPermissions } from "../permissions/report-permissions.ts";
import { assumedGuards, assumptionInWords, keptByGuards } from "../policy/assumed-guards.ts";
import { leavesOut, reportByPolicy } from "../policy/report-by-policy.ts";
import { isReadAsText, type ReportOptions } from "../report/report-options.ts";
import { writeReport } from "../report/write-report.ts";
import { LOCK_RULES } from "../rules/lock-rules.ts";
import type { Context } from "../run/context.ts";
import { reasonOf } from "../run/errors.ts";
import type { ProvenAuthors } from "../statement/author-statements.ts";
import { lineAsCalled } from "../terminal/as-called.ts";
import { printNotices } from "../terminal/notices.ts";
import { printError } from "../terminal/report-error.ts";
import { answersByName, type VisitResult } from "../visit/visit-servers.ts";
import { acceptSkillsLine, approveLine, offerApproval } from "./approve-line.ts";

/** A listener to the report of a check. */
export interface ReportListener {
  /** Is called with the report, whose secrets are replaced, and the answers of the servers that were read. */
  readonly onChecked?: (report: JudgedReport, visits: readonly VisitAnswers[]) => void;
}

/** Servers that were visited, and the lock that they are compared with. */
interface Visited {
  readonly lock: LockFile;
  /** The lock as the file has it. */
  readonly lockText: Uint8Array;
  /** When the check began. */
  readonly startedAt: Date;
  readonly judgement: PolicyJudgement;
  readonly targets: readonly ServerTarget[];
  readonly visits: readonly VisitResult[];
  /** The changes that the lock accepts since the base; absent without a base. */
  readonly notes?: readonly Finding[] | undefined;
  /** The warnings of pins that are older than `--max-age`. */
  readonly aged: readonly Finding[];
  readonly base?: Base | undefined;
  /** The agreement of the project's configurations with the lock. */
  readonly agreement?: Agreement | undefined;
  /** Whether the project is checked, and not some of its servers. */
  readonly isWhole: boolean;
}

/**
 * Writes the changes, the reasons for missing answers, and the command lines that accept changes; returns the exit
 * code.
 */
export async function reportCheck(
  context: Context,
  { lock, lockText, startedAt, judgement, targets, visits, notes = [], aged, base, agreement, isWhole }: Visited,
  options: LaunchOptions & ReportOptions & ReportListener,
  launched: readonly string[],
): Promise<ExitCode> {
  const drift = await checkLockLazily(lock, answersByName(visits), { only: targets.map(({ name }) => name) });
  const whole = driftToReport(drift, { lockFile: options.lock, lockText });
  // A launch that the command line gave is not the one that clients start.
  if (launched.length === 0 && options.url === undefined && options.mcpConfig.length === 0) {
    await keepStates(context, options.lock, lockText, () =>
      statesOfCheck(drift, whole.findings, lock, judgement.policy.policy, startedAt),
    );
  }
  const { stated, isAccepted } = await withStatements(context, whole, { lock, judgement, visits, base }, options.lock);
  const agreed = withAgreement(stated, agreement);
  const ofSkills = isWhole ? await withSkills(context, agreed, { lock, base }, options.lock) : agreed;
  const ofNames = isWhole ? await withNames(context, ofSkills, { lock, base }, options) : ofSkills;
  const ofProject = await withPermissions(context, ofNames, drift, { lock, file: options.lock });
  const guarded = agreement?.guarded ?? new Set<string>();
  const assumed = assumedGuards(ofProject.findings, judgement.policy.policy, guarded);
  const isGuarded = keptByGuards(drift, guarded);
  const byPolicy = reportByPolicy(context, ofProject, judgement.policy, {
    isGuarded,
    ...(isAccepted && { isAccepted }),
  });
  const ofServers = { ...byPolicy, findings: byPolicy.findings.filter((finding) => !isAboutConfig(finding)) };
  const leftOut = drift.servers.map(({ server }) => server).filter((server) => leavesOut(stated, ofServers, server));
  const data = { ...drift, ...(leftOut.length > 0 && { leftOut }), ...(assumed && { assumed }) };
  const report = { ...byPolicy, data };
  const change = [
    ...(base ? changeSentences(base, notes, judgement) : []),
    ...(assumed ? [assumptionInWords(assumed)] : []),
  ];
  const judged = {
    ...withPolicyFindings(withNotes(report, [...notes, ...aged, ...(await notesOnLogins(lock))]), judgement),
    ...(change.length > 0 && { change }),
  };
  const complete = await withGuards(context, judged, targets, options);
  const exitCode = await writeReport(context, complete, options);
  const answers = visits.flatMap((visit) => ("answers" in visit ? [visit.answers] : []));
  options.onChecked?.(context.hidden.replaceIn(complete), answers);
  const isShown = isReadAsText(options);
  for (const visit of visits) {
    if ("error" in visit) printError(context, visit.error, visit.name, isShown);
  }
  if (!isShown) return exitCode;
  await offerNext(context, { report, drift, leftOut, targets, launched, judgement, agreement }, options);
  return exitCode;
}

/** The report with the skills of the project, where the lock has some. A change cannot take them out of the comparison. */
async function withSkills(
  { pathOf }: Context,
  report: Report,
  { lock, base }: Pick<Visited, "lock" | "base">,
  file: string,
): Promise<Report> {
  const skills = lock.skills ?? base?.lock?.skills;
  if (skills === undefined) return report;
  const { checkSkills } = await import("@agentprint/skills");
  return checkSkills(report, skills, pathOf(dirname(file)));
}

/** The report with the files of the project that only some systems read. */
async function withNames(
  context: Context,
  report: Report,
  { lock, base }: Pick<Visited, "lock" | "base">,
  { lock: file, mcpConfig }: LaunchOptions,
): Promise<Report> {
  const hasSkills = lock.skills !== undefined || base?.lock?.skills !== undefined;
  return withOtherCases(
    report,
    await namesInOtherCase(context, file, { hasConfigs: mcpConfig.length === 0, hasSkills }),
  );
}

/** The report with the statements of authors, where the policy names some: few do, and a prover takes long to load. */
async function withStatements(
  context: Context,
  report: Report,
  { lock, judgement, visits, base }: Pick<Visited, "lock" | "judgement" | "visits" | "base">,
  file: string,
): Promise<{ readonly stated: Report; readonly isAccepted?: ProvenAuthors["isAccepted"] }> {
  const { policy } = judgement.policy;
  if (policy.statements === undefined && base?.lock?.authorKeys === undefined) return { stated: report };
  const { proveAuthors, visitedServers, withAuthors } = await import("../statement/author-statements.ts");
  const authors = await proveAuthors(context, visitedServers(visits, lock), {
    policy,
    file,
    lock,
    base: base?.lock,
  });
  return { stated: withAuthors(report, authors), isAccepted: authors.isAccepted };
}

/** The notes on lists that depend on the login; few locks have more than one. */
async function notesOnLogins(lock: LockFile): Promise<Finding[]> {
  if (lock.servers.filter(({ auth }) => auth !== undefined).length < 2) return [];
  const { listsByLogin } = await import("@agentprint/mcp-lock");
  return listsByLogin(lock.servers).map(({ server, other, list, onlyServer, onlyOther, changed }) => ({
    rule: "lock/list-by-login",
    level: "note",
    place: { subject: other, server: other },
    message: `${list} depend on the login: they are others than those of ${server}`,
    ...(onlyServer.length > 0 && { before: [...onlyServer] }),
    ...(onlyOther.length > 0 && { after: [...onlyOther] }),
    ...(changed.length > 0 && { note: `Defined otherwise: ${changed.join(", ")}` }),
    isRemark: true,
  }));
}

/** A report with the drift and the policy decisions behind it. */
interface Reported extends Pick<Visited, "judgement" | "targets" | "agreement"> {
  readonly report: JudgedReport;
  readonly drift: DriftReport;
  /** The servers with findings that the policy leaves out. */
  readonly leftOut: readonly string[];
  readonly launched: readonly string[];
}

/** Writes the command lines that examine the findings further, and that accept them. */
async function offerNext(
  context: Context,
  { report, drift, leftOut, targets, launched, judgement, agreement }: Reported,
  options: LaunchOptions & ReportOptions,
): Promise<void> {
  const { dim } = context.colorsOf(context.stdout);
  for (const line of agreement ? nextLines(context, agreement, options) : []) context.stdout.write(`${dim(line)}\n`);
  if (judgement.approve !== undefined) {
    context.stdout.write(
      `${dim(`To accept this policy after review, run: ${lineAsCalled(context, judgement.approve)}`)}\n`,
    );
  }
  if (report.findings.some(({ rule }) => rule.startsWith("skills/"))) {
    const line = lineAsCalled(context, acceptSkillsLine(options.lock));
    context.stdout.write(`${dim(`To accept the skills and instruction files after review, run: ${line}`)}\n`);
  }
  const digests = new Map(
    drift.servers.flatMap(({ server, outcome, digest: { before, after } }) =>
      outcome === "drift" && before !== undefined && after !== undefined ? [[server, after] as const] : [],
    ),
  );
  const targetsOf = (names: readonly string[]) => targets.filter(({ name }) => names.includes(name));
  const lineOf = (names: readonly string[], expected?: string): string => {
    const some = targetsOf(names);
    return lineAsCalled(context, approveLine(some, withConfigsOf(some, agreement, options), launched, expected));
  };
  const reviewed = (names: readonly string[]): string =>
    lineOf(names, reviewedDigest(names.map((name) => ({ name, digest: digests.get(name) ?? "" }))));
  const drifted = [...digests.keys()];
  const wholly = drifted.filter((name) => !leftOut.includes(name));
  context.stdout.write(await offerApproval(context, report, wholly, reviewed, options));
  const partly = targetsOf(drifted.filter((name) => leftOut.includes(name)));
  if (partly.length > 0) {
    const line = lineOf(partly.map(({ name }) => name));
    context.stdout.write(`${dim(`The policy leaves out some of what changed; to review all of it, run: ${line}`)}\n`);
  }
}

/** The report, with the guards that are gone where some were put into configurations on this machine. */
async function withGuards(
  context: Context,
  report: JudgedReport,
  targets: readonly ServerTarget[],
  { lock }: LaunchOptions,
): Promise<JudgedReport> {
  // The readers of all client formats take longer to load than a whole check without them.
  if (!existsSync(wrappedFolder(context))) return report;
  const { withReplacedGuards } = await import("../wrap/guard-findings.ts");
  return withReplacedGuards(
    context,
    report,
    lock,
    targets.map(({ name }) => name),
  );
}

/** Stores the results of a check for the hook of a client, if one is set up. */
async function keepStates(
  context: Context,
  lock: string,
  lockText: Uint8Array,
  statesOf: () => Readonly<Record<string, ServerState>>,
): Promise<void> {
  try {
    if (await isHookSetUp(context, lock)) await writeStates(context, lock, lockText, statesOf());
  } catch (error) {
    printNotices(context, [`what was found is not kept for the hook of a client: ${reasonOf(error)}`]);
  }
}

/** A report with notes that no policy decides about. */
function withNotes(report: JudgedReport, notes: readonly Finding[]): JudgedReport {
  if (notes.length === 0) return report;
  const subjects = notes.map(({ place }) => place.subject);
  return {
    ...report,
    findings: [...report.findings, ...notes],
    rules: { ...report.rules, ...LOCK_RULES },
    checked: [...new Set([...report.checked, ...subjects])],
  };
}
