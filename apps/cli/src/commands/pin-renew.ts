import {
  checkLock,
  isVersion1,
  type LockedServer,
  type LockedServerV1,
  type LockFile,
  upgradeEntry,
  withServer,
} from "@agentprint/mcp-lock";
import { EXIT, type ExitCode, escapeText } from "@agentprint/report";
import type { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import { givenStarts } from "../launch/choose-starts.ts";
import { passOn } from "../launch/pass-on.ts";
import { type Start, startFromEnvironment } from "../launch/start.ts";
import { compareWithLock } from "../lock/compare.ts";
import { requireLock, updateLock } from "../lock/lock-store.ts";
import { lockVisited } from "../lock/lock-visited.ts";
import { driftToReport } from "../report/drift-report.ts";
import { commandLine } from "../terminal/command-line.ts";
import { confirm } from "../terminal/confirm.ts";
import { printError } from "../terminal/report-error.ts";
import { writeReport } from "../terminal/write-report.ts";
import { planCheck, planPin } from "../visit/visit-plan.ts";
import type { PinOptions } from "./pin-options.ts";

/**
 * Pins a server of version 1 of the lock with all that this version sees. It has to be as it was pinned, as far as that
 * version saw: what is added is shown before it is written.
 */
export async function renew(
  context: Context,
  name: string,
  launched: readonly string[],
  options: PinOptions,
): Promise<ExitCode> {
  const { lock } = await requireLock(context, options.lock);
  const entry = lock.servers.find((server) => server.name === name);
  if (entry === undefined) {
    throw new CliError("usage", `${name} is not in ${options.lock}`, {
      expected: `one of ${lock.servers.map((server) => server.name).join(", ") || "no server"}`,
    });
  }
  if (!isVersion1(entry)) {
    context.stderr.write(
      `${escapeText(name)} is pinned by the newest version of the lock; there is nothing to renew\n`,
    );
    return EXIT.same;
  }
  const given = await givenStarts(context, options, launched, name);
  const start = given.find((each) => each.name === name) ?? startFromEnvironment(context, name, entry.launch);
  const [ready] = passOn(context, [start], options);
  return ready === undefined ? EXIT.unknown : renewEntry(context, lock, entry, ready, options);
}

async function renewEntry(
  context: Context,
  lock: LockFile,
  entry: LockedServerV1,
  start: Start,
  options: PinOptions,
): Promise<ExitCode> {
  const { name } = entry;
  const { drift, errors } = await compareWithLock(context, lock, [start], 1, options, planCheck);
  for (const [server, error] of errors) printError(context, error, server);
  if (drift.outcome === "unknown") return EXIT.unknown;
  if (drift.outcome === "drift") {
    printError(
      context,
      new CliError("already-pinned", `${name} is not as it was pinned; ${options.lock} is unchanged`, {
        expected: "no difference from the entry that is renewed",
        fix: `review the difference with ${commandLine(["agentprint", "check", name])}, and approve or refuse it first`,
      }),
    );
    return EXIT.drift;
  }
  const { foundServers, visitAll } = await import("../visit/visit-all.ts");
  const [visit] = await visitAll(context, [start], 1, options, () => planPin(options));
  if (visit === undefined || "error" in visit) {
    if (visit) printError(context, visit.error, name);
    return EXIT.unknown;
  }
  const renewed = lockVisited(context, name, visit.answers, { allowUnstable: options.allowUnstable });
  const added = checkLock({ lockVersion: 2, servers: [upgradeEntry(entry)] }, foundServers([visit]));
  const title = "agentprint pin --renew";
  await writeReport(
    context,
    { ...driftToReport(added), command: title, title },
    { format: options.format, full: true },
  );
  if (!options.yes && !(await confirm(context, `Take this into ${options.lock}?`, true))) return EXIT.drift;
  await updateLock(context, options.lock, (current) => replaceEntry(current, entry, renewed));
  context.stderr.write(`renewed ${escapeText(name)}: ${escapeText(options.lock)} has digest ${renewed.digest}\n`);
  return EXIT.same;
}

/** Replaces the entry only if it is still the one that was compared. */
function replaceEntry(current: LockFile | undefined, before: LockedServerV1, after: LockedServer): LockFile {
  if (current?.servers.some(({ name, digest }) => name === before.name && digest === before.digest)) {
    return withServer(current, after);
  }
  throw new CliError(
    "not-reviewed",
    `someone else changed the entry of ${before.name} meanwhile; it is left as they wrote it`,
    {
      fix: `renew it again: ${commandLine(["agentprint", "pin", "--renew", before.name])}`,
    },
  );
}
