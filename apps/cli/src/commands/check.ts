import type { LockFile } from "@agentprint/mcp-lock";
import type { ExitCode } from "@agentprint/report";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import { approveLine } from "../launch/approve-line.ts";
import { givenStarts, splitAtDashes } from "../launch/choose-starts.ts";
import { passOn } from "../launch/pass-on.ts";
import { type Start, startFromEnvironment } from "../launch/start.ts";
import { compareWithLock } from "../lock/compare.ts";
import { requireLock } from "../lock/lock-store.ts";
import { positiveInteger } from "../option-parsers.ts";
import { driftToReport } from "../report/drift-report.ts";
import { addExamples } from "../terminal/examples.ts";
import { offerApproval } from "../terminal/offer-approval.ts";
import { printError } from "../terminal/report-error.ts";
import { addReportOptions, isReadAsText, type ReportOptions, writeReport } from "../terminal/write-report.ts";
import { planCheck } from "../visit/visit-plan.ts";
import { addVisitOptions, type VisitOptions } from "../visit-options.ts";

type CheckOptions = VisitOptions & ReportOptions & { readonly concurrency: number };

export function define(command: Command): void {
  command
    .usage("[options] [server...] [-- command...]")
    .argument("[server...]", "names in the lock file; all when none is given")
    .option("--concurrency <n>", "servers asked at the same time", positiveInteger, 4);
  addVisitOptions(command);
  addReportOptions(command);
  addExamples(command, [
    ["agentprint check", "every server in agentprint.lock, as it was launched when pinned"],
    ["agentprint check filesystem --format sarif -o drift.sarif", "one server, for code scanning"],
    ["agentprint check --views all", "as the client that was pinned and as a bare one: a server may tell them apart"],
    ["agentprint check --config .mcp.json", "launches and variables from a client's configuration"],
    ["agentprint check filesystem -- npx -y server-filesystem@next .", "would an upgrade change anything?"],
    ["agentprint check github --env GITHUB_TOKEN", "with one more variable, which changes the launch, too"],
    ["agentprint check --lock web.lock --header AUTHORIZATION", "with AGENTPRINT_HEADER_AUTHORIZATION sent along"],
  ]);
}

export async function run(
  context: Context,
  operands: readonly string[],
  options: CheckOptions,
  command: Command,
): Promise<ExitCode> {
  const { servers, launched } = splitAtDashes(command, operands);
  const { lock, text: lockText } = await requireLock(context, options.lock);
  const given = await givenStarts(context, options, launched, servers[0]);
  const starts = passOn(context, chooseStarts(context, lock, servers, given, options), options);
  const { drift, errors } = await compareWithLock(context, lock, starts, options.concurrency, options, planCheck);
  const report = driftToReport(drift, { lockFile: options.lock, lockText });
  const exitCode = await writeReport(context, report, options);
  const isShown = isReadAsText(options);
  for (const [name, error] of errors) printError(context, error, name, isShown);
  if (isShown) {
    for (const { server, outcome, digest } of drift.servers) {
      const start = starts.find(({ name }) => name === server);
      if (outcome !== "drift" || digest.before === undefined || start === undefined) continue;
      const approve = approveLine(start, options, launched, digest.after);
      context.stdout.write(offerApproval(context, report, server, approve, options));
    }
  }
  return exitCode;
}

/** The launches of the command line or of `--config` come before those of the lock. */
function chooseStarts(
  context: Context,
  lock: LockFile,
  servers: readonly string[],
  given: readonly Start[],
  { lock: file, config }: CheckOptions,
): Start[] {
  if (given.length > 0 && config === undefined && servers.length !== 1) {
    throw new CliError("usage", "which pinned server is this the launch of?", {
      expected: "exactly one server name",
      fix: `name the server: agentprint check <server> -- <command…>, where ${file} has ${namesOf(lock)}`,
    });
  }
  const starts = new Map(lock.servers.map(({ name, launch }) => [name, startFromEnvironment(context, name, launch)]));
  for (const start of given) starts.set(start.name, start);
  if (servers.length === 0 && starts.size === 0) {
    throw new CliError("missing-lock", `no server is pinned in ${file}`, { fix: "agentprint pin -- <command…>" });
  }
  return (servers.length === 0 ? [...starts.keys()] : [...new Set(servers)]).map((name) => {
    const start = starts.get(name);
    if (start) return start;
    throw new CliError("usage", `${name} is not in ${file}`, {
      expected: `one of ${namesOf(lock)}`,
      fix: "give one of these names, and a command that starts the server after --: agentprint check <server> -- <command…>",
    });
  });
}

function namesOf(lock: LockFile): string {
  return lock.servers.map((server) => server.name).join(", ") || "no server";
}
