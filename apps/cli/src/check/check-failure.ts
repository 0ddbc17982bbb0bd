import { existsSync } from "node:fs";
import { type JudgedReport, judgeReport } from "@agentprint/findings";
import { isHookSetUp, unreadState, writeStates } from "../guard/state-file.ts";
import { readLock } from "../lock/read-lock.ts";
import type { ReportOptions } from "../report/report-options.ts";
import { writeReport } from "../report/write-report.ts";
import type { Context } from "../run/context.ts";
import { CliError, reasonOf } from "../run/errors.ts";
import { printNotices } from "../terminal/notices.ts";
import type { CheckRequest } from "./check-request.ts";

/**
 * If this check could not tell, replaces the results that an earlier check left for other readers: the states for a
 * client's hook, and the report files. A failure to read is never "no drift", even for later readers.
 */
export async function replaceGoodStates(context: Context, error: unknown, request: CheckRequest): Promise<void> {
  // An unparsable command line is not a check, and a check that only failed to write its report did reach a verdict.
  if (error instanceof CliError && ["usage", "unwritable-output"].includes(error.code)) return;
  try {
    await replaceStates(context, request);
    await replaceReports(context, error, request);
  } catch (failure) {
    printNotices(context, [`the result of an earlier check could not be replaced: ${reasonOf(failure)}`]);
  }
}

async function replaceStates(context: Context, request: CheckRequest): Promise<void> {
  const { startedAt, servers } = request;
  const file = request.launch.lock;
  if (request.hasOwnLaunch || !(await isHookSetUp(context, file))) return;
  // Without a readable lock, the hook asks about every tool.
  const read = await readLock(context, file).catch(() => undefined);
  const entries = read?.lock.servers.filter(({ name }) => servers.length === 0 || servers.includes(name)) ?? [];
  const states = Object.fromEntries(entries.map((entry) => [entry.name, unreadState(entry, startedAt)]));
  if (read) await writeStates(context, file, read.text, states);
}

async function replaceReports(context: Context, error: unknown, { launch, output }: CheckRequest): Promise<void> {
  const written = output.output === undefined ? [] : [{ file: output.output, format: output.format }];
  const files = [...written, ...(output.also ?? [])].filter(({ file }) => existsSync(context.pathOf(file)));
  for (const { file, format } of files) {
    const options: ReportOptions = { ...output, format, output: file, also: [], summary: false };
    await writeReport(context, failureReport(error), { ...options, lock: launch.lock });
  }
}

/** Returns the report of a check that could not tell. */
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
