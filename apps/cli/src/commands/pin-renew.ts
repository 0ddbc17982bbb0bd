import { driftToReport } from "@agentprint/domain-reports/lock";
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
import { addEnvAndHeaders } from "../launch/add-env-and-headers.ts";
import { type ServerTarget, targetFromEnvironment } from "../launch/server-target.ts";
import { targetsFromArguments } from "../launch/targets-from-arguments.ts";
import { findEntry } from "../lock/find-entry.ts";
import { lockVisited } from "../lock/lock-visited.ts";
import { readLock } from "../lock/read-lock.ts";
import { updateLock } from "../lock/update-lock.ts";
import { commandLine } from "../terminal/command-line.ts";
import { confirm } from "../terminal/confirm.ts";
import { printError } from "../terminal/report-error.ts";
import { writeReport } from "../terminal/write-report.ts";
import { planCheck, planPin } from "../visit/visit-plan.ts";
import type { PinOptions } from "./pin-options.ts";

/**
 * Pins a server from version 1 of the lock again, with all that this version sees. The server has to be equal to its entry
 * in everything that version 1 pinned, and a report shows what this version adds before the entry is written.
 */
export async function renew(
  context: Context,
  name: string,
  launched: readonly string[],
  options: PinOptions,
): Promise<ExitCode> {
  const { lock } = await readLock(context, options.lock);
  const entry = findEntry(lock, name, options.lock);
  if (!isVersion1(entry)) {
    context.stderr.write(
      `${escapeText(name)} is pinned by the newest version of the lock; there is nothing to renew\n`,
    );
    return EXIT.same;
  }
  const given = await targetsFromArguments(context, options, launched, () => name);
  const target = given.find((each) => each.name === name) ?? targetFromEnvironment(context, name, entry.launch);
  const [ready] = addEnvAndHeaders(context, [target], options);
  return ready === undefined ? EXIT.unknown : renewEntry(context, lock, entry, ready, options);
}

async function renewEntry(
  context: Context,
  lock: LockFile,
  entry: LockedServerV1,
  target: ServerTarget,
  options: PinOptions,
): Promise<ExitCode> {
  const { name } = entry;
  const { answersByName, takeSnapshots } = await import("../visit/take-snapshots.ts");
  const asPinned = await takeSnapshots(context, [target], 1, options, () => planCheck(entry, options));
  for (const snapshot of asPinned) if ("error" in snapshot) printError(context, snapshot.error, name);
  const drift = checkLock(lock, answersByName(asPinned), { only: [name] });
  if (drift.outcome === "unknown") return EXIT.unknown;
  if (drift.outcome === "drift") {
    printError(
      context,
      new CliError("already-pinned", `${name} differs from its entry; ${options.lock} is unchanged`, {
        expected: "no difference from the entry that is renewed",
        fix: `review the difference with ${commandLine(["agentprint", "check", name])}, and approve or refuse it first`,
      }),
    );
    return EXIT.drift;
  }
  const [snapshot] = await takeSnapshots(context, [target], 1, options, () => planPin(options));
  if (snapshot === undefined || "error" in snapshot) {
    if (snapshot) printError(context, snapshot.error, name);
    return EXIT.unknown;
  }
  const renewed = lockVisited(context, name, snapshot.answers, { allowUnstable: options.allowUnstable });
  const added = checkLock({ lockVersion: 2, servers: [upgradeEntry(entry)] }, answersByName([snapshot]), {
    isFirst: true,
  });
  const title = "agentprint pin --renew";
  await writeReport(
    context,
    { ...driftToReport(added), command: title, title },
    { format: options.format, full: true },
  );
  if (!options.yes && !(await confirm(context, `Write this entry to ${options.lock}?`, true))) return EXIT.drift;
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
    `another writer changed the entry of ${before.name} after the visit began; the lock keeps that change`,
    {
      fix: `renew the entry again: ${commandLine(["agentprint", "pin", "--renew", before.name])}`,
    },
  );
}
