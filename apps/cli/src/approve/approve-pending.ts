import { EXIT, type ExitCode } from "@agentprint/findings";
import type { VisitAnswers } from "@agentprint/mcp";
import { type LockedServer, withServer } from "@agentprint/mcp-lock";
import { escapeText } from "@agentprint/report";
import { printPinned } from "../check/pin-result.ts";
import { addEnvAndHeaders } from "../clients/targets-from-arguments.ts";
import { type PendingServer, pendingFileOf, readPending, updatePending } from "../guard/pending.ts";
import { targetFromEnvironment } from "../launch/server-target.ts";
import { launchInWords } from "../lock/entry-summary.ts";
import { writeEntry } from "../lock/entry-text.ts";
import { lockNewUnder } from "../lock/lock-new.ts";
import { newLock } from "../lock/new-lock.ts";
import { readLockIfPresent } from "../lock/read-lock.ts";
import { updateLock } from "../lock/update-lock.ts";
import type { LaunchOptions, VisitOptions } from "../options/visit-options.ts";
import type { ReadPolicy } from "../policy/read-policy.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { canAsk } from "../terminal/ask.ts";
import { confirm } from "../terminal/confirm.ts";
import { printError } from "../terminal/report-error.ts";
import { noticing } from "../visit/noticing.ts";
import { allowedIn, steadyUnder } from "../visit/steady-server.ts";
import { planPin } from "../visit/visit-plan.ts";

type PendingOptions = LaunchOptions &
  VisitOptions & {
    readonly yes: boolean;
    readonly allowUnstable: readonly string[];
    /** The packages whose install scripts may run. */
    readonly allowScripts: readonly string[];
  };

/**
 * Visits the servers that a guard refused to start, shows everything that each of them offers, and pins those that are accepted.
 *
 * @returns 1 if a server was not accepted, 2 if one could not be read
 */
export async function approvePending(context: Context, options: PendingOptions, policy: ReadPolicy): Promise<ExitCode> {
  const { lock, yes } = options;
  const pending = await readPending(context, lock);
  if (pending.length === 0) {
    context.stderr.write(`no server waits for a review in ${escapeText(pendingFileOf(lock))}\n`);
    return EXIT.same;
  }
  if (!yes && !canAsk(context)) {
    throw new CliError("not-reviewed", "without a terminal, approve --pending needs --yes", {
      where: pending.map((server) => `${escapeText(server.name)}: ${launchInWords(server)}`).join("\n"),
      fix: "review the launches above, and run the command on a terminal",
    });
  }
  let exitCode: ExitCode = EXIT.same;
  for (const server of pending) {
    const result = await review(context, server, options, policy);
    if (result !== EXIT.same && exitCode !== EXIT.unknown) exitCode = result;
  }
  return exitCode;
}

async function review(
  context: Context,
  server: PendingServer,
  options: PendingOptions,
  policy: ReadPolicy,
): Promise<ExitCode> {
  const { name, launch } = server;
  context.stdout.write(`${escapeText(name)} is started as: ${launchInWords(server)}\n`);
  const names = {
    env: launch.type === "stdio" ? options.env : [],
    header: launch.type === "http" ? options.header : [],
  };
  const targets = addEnvAndHeaders(context, [targetFromEnvironment(context, name, launch)], names);
  const allowed = (of: string, answers: VisitAnswers) => allowedIn(of, answers, options);
  const planOf = () => ({ ...planPin(options), requireSteady: steadyUnder(context, allowed) });
  const { answersByName, visitServers } = await import("../visit/visit-servers.ts");
  const toPin = { lock: options.lock, scripts: options.allowScripts, allowing: "this" as const };
  const visits = await visitServers(context, targets, options, planOf, noticing(context, toPin));
  const [visit] = visits;
  if (visit === undefined || "error" in visit) {
    if (visit) printError(context, visit.error, name);
    return EXIT.unknown;
  }
  let entry: LockedServer;
  try {
    const lockNew = lockNewUnder(context, policy);
    entry = lockNew(name, visit.answers, allowed(name, visit.answers));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    printError(context, error);
    return EXIT.unknown;
  }
  const empty = await newLock(policy);
  const known = await readLockIfPresent(context, options.lock);
  writeEntry(context, entry, (known?.lock ?? empty).policy);
  if (!options.yes && !(await confirm(context, `Pin ${name} in ${options.lock}?`, false))) return EXIT.drift;
  await updateLock(context, options.lock, (before) => {
    const pinned = before?.servers.find((each) => each.name === name);
    if (pinned === undefined) return withServer(before ?? empty, entry);
    if (pinned.digest === entry.digest) return before ?? empty;
    throw new CliError("already-pinned", `${name} was pinned meanwhile`, { fix: "review it with agentprint check" });
  });
  await updatePending(context, options.lock, (left) => left.filter((each) => each.name !== name));
  await printPinned(context, [entry], answersByName(visits), { lock: options.lock, format: "text" });
  return EXIT.same;
}
