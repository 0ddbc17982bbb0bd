import { existsSync } from "node:fs";
import { type JudgedReport, judgeReport } from "@agentprint/findings";
import { isHookSetUp, unreadState, writeStates } from "../guard/state-file.ts";
import { readLock } from "../lock/read-lock.ts";
import type { LaunchOptions } from "../options/visit-options.ts";
import type { ReportOptions } from "../report/report-options.ts";
import { writeReport } from "../report/write-report.ts";
import type { Context } from "../run/context.ts";
import { CliError, reasonOf } from "../run/errors.ts";
import { printNotices } from "../terminal/notices.ts";

/** The servers that a check was asked for, and when. */
export interface AskedCheck {
  readonly startedAt: Date;
  readonly servers: readonly string[];
  readonly launched: readonly string[];
}

/**
 * Replaces what an earlier check has left for others to go by, where this one could not tell: the states for the hook of a client, and the files
 * with reports. A failure to read is never "no drift", also for what looks later.
 */
export async function replaceGoodStates(
  context: Context,
  error: unknown,
  asked: AskedCheck,
  options: LaunchOptions & ReportOptions,
): Promise<void> {
  // A command line that cannot be understood is no check, and one that only could not write its report could tell.
  if (error instanceof CliError && ["usage", "unwritable-output"].includes(error.code)) return;
  try {
    await replaceStates(context, asked, options);
    await replaceReports(context, error, options);
  } catch (failure) {
    printNotices(context, [`what an earlier check has left could not be replaced: ${reasonOf(failure)}`]);
  }
}

async function replaceStates(
  context: Context,
  { startedAt, servers, launched }: AskedCheck,
  { lock: file, url, mcpConfig }: LaunchOptions,
): Promise<void> {
  if (launched.length > 0 || url !== undefined || mcpConfig.length > 0 || !(await isHookSetUp(context, file))) return;
  // Without a lock that can be read, the hook asks about every tool.
  const read = await readLock(context, file).catch(() => undefined);
  const entries = read?.lock.servers.filter(({ name }) => servers.length === 0 || servers.includes(name)) ?? [];
  const states = Object.fromEntries(entries.map((entry) => [entry.name, unreadState(entry, startedAt)]));
  if (read) await writeStates(context, file, read.text, states);
}

async function replaceReports(context: Context, error: unknown, options: ReportOptions): Promise<void> {
  const isThere = (file: string) => existsSync(context.pathOf(file));
  const { output, format, also = [] } = options;
  const files = [...(output === undefined ? [] : [{ file: output, format }]), ...also].filter(({ file }) =>
    isThere(file),
  );
  for (const { file, format } of files) {
    await writeReport(context, failureReport(error), { ...options, format, output: file, also: [], summary: false });
  }
}

/** The report of a check that could not tell. */
export function failureReport(error: unknown): JudgedReport {
  const summary = `could not tell: ${reasonOf(error)}`;
  return judgeReport({
    command: "agentprint check",
    title: "agentprint check",
    summary,
    couldNotTell: summary,
    findings: [],
    rules: {},
    checked: [],
    data: {},
  });
}
