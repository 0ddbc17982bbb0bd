import { count, type JudgedReport, judgeReport } from "@agentprint/findings";
import { suspectedSecrets } from "@agentprint/launch";
import { type CheckFailure, itemName, type VisitAnswers } from "@agentprint/mcp";
import { checkLock, createLock, type LockedServer, type LockFile, withServer } from "@agentprint/mcp-lock";
import { firstVersionSignals } from "@agentprint/mcp-lock/rules";
import { escapeText, groupFindings, renderReport } from "@agentprint/report";
import { formatJson } from "../files/format-json.ts";
import { coverageInWords } from "../lock/coverage-words.ts";
import { itemsInWords, sessionsInWords, summarizeEntry } from "../lock/entry-summary.ts";
import { DEFAULT_LOCK, readLockIfPresent } from "../lock/read-lock.ts";
import type { PinOptions } from "../options/pin-options.ts";
import { NO_CONFIGURATION } from "../policy/read-policy.ts";
import { reportPaint } from "../report/write-report.ts";
import { LOCK_RULES } from "../rules/check-rules.ts";
import type { Context } from "../run/context.ts";
import type { Project } from "../sources/source.ts";
import { commandLine, lineAsCalled } from "../terminal/command-line.ts";
import { collectFindings, visitsOf } from "./collect.ts";
import { foldHiddenText } from "./fold-hidden-text.ts";
import { noteRefusals } from "./guard-notes.ts";
import { leftOutSecrets, type PinnedFrom } from "./left-out-secrets.ts";

interface PinnedOthers {
  readonly missing: readonly string[];
  readonly replaced: readonly string[];
}

type Pinned = PinnedFrom & Partial<Pick<PinnedOthers, "replaced">>;

/**
 * Prints the pinned servers, and notes on them for a reviewer.
 *
 * @param others The names of the servers that could not be pinned, and of those whose entry was replaced
 */
export async function printPinned(
  context: Context,
  entries: readonly LockedServer[],
  found: Readonly<Record<string, VisitAnswers | CheckFailure>>,
  options: Pick<PinOptions, "format" | "lock"> & Partial<PinOptions>,
  { missing, replaced }: PinnedOthers = { missing: [], replaced: [] },
): Promise<void> {
  const { stdout, stderr } = context;
  const { lock, format } = options;
  const configsOf = () => options.mcpConfig ?? [];
  const report = await noteAndReport(context, entries, found, { ...options, configsOf, replaced }, "agentprint pin");
  if (format === "json") {
    const servers = entries.map(summarizeEntry);
    stdout.write(formatJson({ lock, servers, missing, findings: report.findings }));
    return;
  }
  const { bold, dim, green, yellow } = context.colorsOf(stdout);
  for (const entry of entries) {
    stdout.write(
      `${green(replaced.includes(entry.name) ? "replaced" : "pinned")} ${bold(escapeText(entry.name))} ${itemsInWords(entry)}\n`,
    );
    const coverage = coverageInWords(entry);
    if (coverage !== undefined) stdout.write(`  ${dim(`launch ${coverage}`)}\n`);
    stdout.write(`  ${dim(`tools ${entry.toolsDigest}`)}\n`);
    stdout.write(`  ${dim(escapeText(sessionsInWords(entry)))}\n`);
  }
  if (report.findings.length > 0)
    stderr.write(renderReport(report, "text", { full: true, paint: reportPaint(context, stderr) }));
  if (missing.length > 0) stdout.write(`${yellow("not pinned")} ${escapeText(missing.join(", "))}\n`);
  stdout.write(
    `${dim(`The lock is in ${escapeText(lock)}: commit it, and run ${lineAsCalled(context, checkLine(options))} before each release`)}\n`,
  );
}

/** Prints notes for a reviewer on servers that `init` pinned. */
export async function printFindings(
  context: Context,
  entries: readonly LockedServer[],
  found: Readonly<Record<string, VisitAnswers>>,
  from: PinnedFrom,
): Promise<void> {
  const { stderr } = context;
  const report = await noteAndReport(context, entries, found, from, "agentprint init");
  if (report.findings.length > 0)
    stderr.write(renderReport(report, "text", { full: true, paint: reportPaint(context, stderr) }));
}

/** Prints the possible secrets and the answers that a guard will refuse, and returns the report on what was pinned. */
async function noteAndReport(
  context: Context,
  entries: readonly LockedServer[],
  found: Readonly<Record<string, VisitAnswers | CheckFailure>>,
  from: Pinned,
  command: string,
): Promise<JudgedReport> {
  for (const entry of entries) warnOfSecrets(context, entry);
  await noteRefusals(context, entries, found);
  return reportOnPinned(context, entries, found, from, command);
}

async function reportOnPinned(
  context: Context,
  entries: readonly LockedServer[],
  found: Readonly<Record<string, VisitAnswers | CheckFailure>>,
  from: Pinned,
  command: string,
): Promise<JudgedReport> {
  const lock = entries.reduce<LockFile>(withServer, createLock({}));
  const drift = checkLock(lock, found, { only: entries.map(({ name }) => name), isFirst: true });
  const judgement = { policy: NO_CONFIGURATION, weakened: [], strengthened: [] };
  const project: Project = { context, file: DEFAULT_LOCK, lock, scope: "states", names: [], judgement };
  const { report } = await collectFindings(project, visitsOf(drift));
  const others = (await readLockIfPresent(context, from.lock))?.lock.servers ?? [];
  const names = others.flatMap(({ name, tools }) => [
    name,
    ...tools.map(({ definition }) => itemName("tool", definition)),
  ]);
  const findings = [
    ...leftOutSecrets(context, entries, from),
    ...foldHiddenText(report.findings),
    ...firstVersionSignals(lock, names, from.replaced),
  ];
  const rules = { ...report.rules, ...LOCK_RULES };
  const summary = `${count(groupFindings(findings).length, "finding")} on what was pinned`;
  return judgeReport({ ...report, findings, rules, summary, command, title: "to review" });
}

/**
 * Returns the command that visits the servers again in the same way, because a lock does not keep values that only a
 * configuration has.
 */
function checkLine({
  lock,
  mcpConfig = [],
}: Pick<PinOptions, "lock"> & Partial<Pick<PinOptions, "mcpConfig">>): string {
  const args = [
    ...(lock === DEFAULT_LOCK ? [] : ["--lock", lock]),
    ...mcpConfig.flatMap((config) => ["--mcp-config", config]),
  ];
  return commandLine(["agentprint", "check", ...args]);
}

/** Prints the probable secrets that are still in the lock. */
function warnOfSecrets(context: Context, { name, launch }: LockedServer): void {
  const { yellow } = context.colorsOf(context.stderr);
  for (const { pointer, reason } of suspectedSecrets(launch)) {
    const place = `the launch of ${escapeText(name)} may hold a secret at ${pointer} (${reason.replaceAll("-", " ")})`;
    context.stderr.write(`${yellow("warning:")} ${place}: pass secrets with --env, --header or \${env:NAME}\n`);
  }
}
