import { escapeText } from "@agentprint/canonical-json/text";
import type { ExitCode } from "@agentprint/findings";
import type { Agreement } from "../compare-configs/compare-configs.ts";
import { isHookSetUp, statesOfCheck, writeStates } from "../guard/state-file.ts";
import type { ServerTarget } from "../launch/server-target.ts";
import { DEFAULT_LOCK } from "../lock/read-lock.ts";
import type { LaunchOptions } from "../options/visit-options.ts";
import { policyFileOf } from "../policy/read-policy.ts";
import { isReadAsText } from "../report/report-options.ts";
import { writeReport } from "../report/write-report.ts";
import type { Context } from "../run/context.ts";
import { reasonOf } from "../run/errors.ts";
import type { Visits } from "../sources/source.ts";
import { commandLine, lineAsCalled } from "../terminal/command-line.ts";
import { printNotices } from "../terminal/notices.ts";
import { printError } from "../terminal/report-error.ts";
import type { VisitResult } from "../visit/visit-servers.ts";
import { acceptSkillsLine, approveLine, offerApproval, reviewedDigest } from "./approve-line.ts";
import type { CheckRequest } from "./check-request.ts";
import { noticeUnvisited } from "./collect.ts";
import type { Judged } from "./judge.ts";
import type { CheckedProject } from "./read-project.ts";

/** The servers of a check, their answers, and the outcome. */
export interface DoneCheck {
  readonly targets: readonly ServerTarget[];
  readonly results: readonly VisitResult[];
  readonly visits: Visits;
  readonly judged: Judged;
}

/**
 * Writes the report, the reasons for missing answers, and the command lines that accept changes; returns the exit
 * code.
 */
export async function writeCheck(project: CheckedProject, request: CheckRequest, done: DoneCheck): Promise<ExitCode> {
  const { context, file } = project;
  const { output, onChecked } = request;
  const { report } = done.judged;
  if (!request.hasOwnLaunch) await keepStates(project, request, done.visits);
  const read = [policyFileOf({ config: request.config, lock: file }), ...request.launch.mcpConfig];
  const exitCode = await writeReport(context, report, { ...output, lock: file, read });
  onChecked?.(
    context.hidden.replaceIn(report),
    done.results.flatMap((result) => ("answers" in result ? [result.answers] : [])),
  );
  noticeUnvisited(context, project.lock, done.visits.drift);
  const isShown = isReadAsText(output);
  for (const result of done.results) {
    if ("error" in result) printError(context, result.error, result.name, isShown);
  }
  if (isShown) await offerNext(project, request, done);
  return exitCode;
}

/** Writes the command lines that examine the findings further, and that accept them. */
async function offerNext(
  { context, file, judgement, agreement }: CheckedProject,
  { launch, launched, output, allowChangedLaunch }: CheckRequest,
  { targets, visits: { drift }, judged: { byPolicy, leftOut } }: DoneCheck,
): Promise<void> {
  const { dim } = context.colorsOf(context.stdout);
  const next = agreement ? nextLines(context, agreement, { ...launch, allowChangedLaunch }) : [];
  for (const line of next) context.stdout.write(`${dim(line)}\n`);
  if (judgement.approve !== undefined) {
    context.stdout.write(
      `${dim(`To accept this policy after review, run: ${lineAsCalled(context, judgement.approve)}`)}\n`,
    );
  }
  if (byPolicy.findings.some(({ rule }) => rule.startsWith("skills/"))) {
    const line = lineAsCalled(context, acceptSkillsLine(file));
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
    return lineAsCalled(context, approveLine(some, withConfigsOf(some, agreement, launch), launched, expected));
  };
  const reviewed = (names: readonly string[]): string =>
    lineOf(names, reviewedDigest(names.map((name) => ({ name, digest: digests.get(name) ?? "" }))));
  const drifted = [...digests.keys()];
  const wholly = drifted.filter((name) => !leftOut.includes(name));
  context.stdout.write(await offerApproval(context, byPolicy, wholly, reviewed, output));
  const partly = targetsOf(drifted.filter((name) => leftOut.includes(name)));
  if (partly.length > 0) {
    const line = lineOf(partly.map(({ name }) => name));
    context.stdout.write(`${dim(`The policy hides some of the changes; to review all of them, run: ${line}`)}\n`);
  }
}

/** Stores the results of a check for the hook of a client, if one is set up. */
async function keepStates(
  { context, file, lock, lockText, judgement }: CheckedProject,
  { startedAt }: CheckRequest,
  { drift, report }: Visits,
): Promise<void> {
  try {
    if (!(await isHookSetUp(context, file))) return;
    const states = statesOfCheck(drift, report.findings, lock, judgement.policy.policy, startedAt);
    await writeStates(context, file, lockText, states);
  } catch (error) {
    printNotices(context, [`the findings are not kept for a client's hook: ${reasonOf(error)}`]);
  }
}

type NextOptions = Pick<LaunchOptions, "lock" | "mcpConfig"> & { readonly allowChangedLaunch?: boolean };

/** Returns the next steps when configurations and lock disagree, each with a command line. */
export function nextLines(
  context: Pick<Context, "env">,
  { other, unpinned }: Pick<Agreement, "other" | "unpinned">,
  { lock, mcpConfig, allowChangedLaunch = false }: NextOptions,
): string[] {
  const where = [
    ...(lock === DEFAULT_LOCK ? [] : ["--lock", lock]),
    ...mcpConfig.flatMap((file) => ["--mcp-config", file]),
  ];
  const [changed, open] = [allowChangedLaunch ? [] : [...other.keys()], [...unpinned.keys()]];
  const line = (...words: string[]): string => lineAsCalled(context, commandLine(["agentprint", ...words, ...where]));
  const seeing = line("check", "--allow-changed-launch", ...changed);
  return [
    ...(changed.length > 0
      ? [`No changed launch was started. To see what it changes, if that is safe: ${seeing}`]
      : []),
    ...(open.length > 0
      ? [
          `To pin ${escapeText(open.join(", "))}, run: ${line("init")}`,
          `To leave one out with a reason: ${lineAsCalled(context, "agentprint explain mcp/not-pinned")}`,
        ]
      : []),
  ];
}

/** Returns the options with the configurations that launch these targets differently from the lock. */
export function withConfigsOf<Options extends LaunchOptions>(
  targets: readonly ServerTarget[],
  agreement: Agreement | undefined,
  options: Options,
): Options {
  if (options.mcpConfig.length > 0) return options;
  const files = targets.flatMap(({ name, config }) => (agreement?.other.has(name) && config ? [config] : []));
  return { ...options, mcpConfig: [...new Set(files)] };
}
