import {
  checkLock,
  isVersion1,
  type LockEntry,
  type LockFile,
  lockServer,
  snapshotOfVisit,
  type VisitAnswers,
  withServer,
} from "@agentprint/mcp-lock";
import { EXIT, type ExitCode, escapeText, type Report } from "@agentprint/report";
import { type Command, Option } from "commander";
import type { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import { addEnvAndHeaders } from "../launch/add-env-and-headers.ts";
import { targetFromEnvironment } from "../launch/server-target.ts";
import { splitAtDashes, targetsFromArguments } from "../launch/targets-from-arguments.ts";
import { findEntry } from "../lock/find-entry.ts";
import { lockVisited } from "../lock/lock-visited.ts";
import { readLock } from "../lock/read-lock.ts";
import { refuseServedSecrets } from "../lock/refuse-served-secrets.ts";
import { refuseUnreviewed } from "../lock/refuse-unreviewed.ts";
import { updateLock } from "../lock/update-lock.ts";
import { collect, digest } from "../option-parsers.ts";
import { driftToReport } from "../report/drift-report.ts";
import { canAsk, confirm } from "../terminal/confirm.ts";
import type { Examples } from "../terminal/examples.ts";
import { printError } from "../terminal/report-error.ts";
import {
  addReportOptions,
  isCutShort,
  isReadAsText,
  type ReportOptions,
  writeReport,
} from "../terminal/write-report.ts";
import { planApprove } from "../visit/visit-plan.ts";
import { addVisitOptions, type VisitOptions } from "../visit-options.ts";

type ApproveOptions = VisitOptions &
  ReportOptions & { readonly expect?: string; readonly yes: boolean; readonly allowUnstable: readonly string[] };

export const examples: Examples = [
  ["agentprint approve filesystem", "show the difference, and ask on a terminal"],
  ["agentprint approve filesystem --expect 3f6b…", "accept the state that was reviewed and no other; for scripts"],
  ["agentprint approve filesystem -- npx -y server-filesystem@2026.7.4 .", "with a new launch"],
  ["agentprint approve github --env GITHUB_TOKEN", "with the pinned launch and one more variable"],
];

export function define(command: Command): void {
  command
    .usage("[options] <server> [-- command...]")
    .argument("<server>", "name in the lock file")
    .argument("[command...]", "after --: a new launch of the server")
    .addOption(
      new Option(
        "--expect <digest>",
        "accept only the state with this digest or tools digest, which check and approve print",
      ).argParser(digest),
    )
    .option("-y, --yes", "accept the new state without a question, whatever it is", false)
    .option(
      "--allow-unstable <pointer>",
      "leave out the member at this pointer, which differs at each reading: /tools/_meta/requestId; repeatable",
      collect,
      [],
    );
  addVisitOptions(command);
  addReportOptions(command);
}

export async function run(
  context: Context,
  first: string,
  operands: readonly string[],
  options: ApproveOptions,
  command: Command,
): Promise<ExitCode> {
  const { servers, launched } = splitAtDashes(command, [first, ...operands]);
  const [server, ...others] = servers;
  if (server === undefined || others.length > 0) {
    throw new CliError("usage", "approve accepts the state of one server at a time", {
      expected: "agentprint approve <server>",
    });
  }
  return approve(context, server, launched, options);
}

async function approve(
  context: Context,
  name: string,
  launched: readonly string[],
  options: ApproveOptions,
): Promise<ExitCode> {
  const { lock, text: lockText } = await readLock(context, options.lock);
  const before = findEntry(lock, name, options.lock);
  requireWholeServer(before, options);
  const given = await targetsFromArguments(context, options, launched, () => name);
  const target = given.find((other) => other.name === name) ?? targetFromEnvironment(context, name, before.launch);
  const targets = addEnvAndHeaders(context, [target], options);

  const { answersByName, takeSnapshots } = await import("../visit/take-snapshots.ts");
  const snapshots = await takeSnapshots(context, targets, 1, options, () => planApprove(before, options));
  const found = answersByName(snapshots);
  const drift = checkLock(lock, found, { only: [name] });
  const report = driftToReport(drift, { lockFile: options.lock, lockText });
  await writeReport(context, { ...report, command: "agentprint approve", title: "agentprint approve" }, options);

  for (const snapshot of snapshots) {
    if ("error" in snapshot) printError(context, snapshot.error, name, isReadAsText(options));
  }
  const state = found[name];
  if (!state || "failure" in state || drift.outcome === "unknown") return EXIT.unknown;
  const after = newEntry(context, before, state, options);
  const refusal = options.expect === undefined ? undefined : refuseUnreviewed(options.expect, after, drift);
  if (refusal) {
    printError(context, refusal);
    return EXIT.drift;
  }
  if (after.digest === before.digest) return EXIT.same;
  if (options.expect === undefined && !options.yes && !(await isConfirmed(context, name, report, options)))
    return EXIT.drift;
  await updateLock(context, options.lock, (current) =>
    replaceReviewed(current, before, (latest) => withServer(latest, after)),
  );
  context.stderr.write(`approved ${escapeText(name)}: ${escapeText(options.lock)} has digest ${after.digest}\n`);
  return EXIT.same;
}

/** A visit in one era would write an entry without the other era. */
function requireWholeServer(entry: LockEntry, { protocol }: ApproveOptions): void {
  if (protocol === "auto" || isVersion1(entry)) return;
  if (new Set(entry.sessions.map(({ session }) => session.split("/")[0])).size < 2) return;
  throw new CliError("usage", `${entry.name} is pinned in both eras of the protocol, and --protocol asks for one`, {
    where: "--protocol",
    expected: "a visit in both eras",
    fix: "approve again without --protocol",
  });
}

/** The entry that is written: of the version that pinned the server. */
function newEntry(
  context: Context,
  before: LockEntry,
  state: VisitAnswers,
  { allowUnstable }: ApproveOptions,
): LockEntry {
  if (isVersion1(before)) {
    refuseServedSecrets(context, before.name, state);
    return lockServer(before.name, snapshotOfVisit(state));
  }
  return lockVisited(context, before.name, state, {
    allowUnstable,
    ...(before.unstable && { unstable: before.unstable }),
  });
}

async function isConfirmed(context: Context, name: string, report: Report, options: ApproveOptions): Promise<boolean> {
  if (!canAsk(context)) {
    throw new CliError("not-reviewed", "without a terminal, approve needs --yes or --expect; the lock is unchanged", {
      expected: "--expect <digest> with the digest of the state that was reviewed, or --yes",
      fix: "review the difference above, then run the approve line that agentprint check prints",
    });
  }
  if (await isCutShort(report, name, options)) {
    throw new CliError(
      "not-reviewed",
      `the report above does not show all that changed in ${name}; the lock is unchanged`,
      {
        fix: "approve again with --full, which shows every change to its end",
      },
    );
  }
  return confirm(context, `Write this state of ${name} to ${options.lock}?`, false);
}

/** Changes the entry only if it is still the one that the difference was shown against. */
function replaceReviewed(
  current: LockFile | undefined,
  before: LockEntry,
  replace: (lock: LockFile) => LockFile,
): LockFile {
  if (current?.servers.find((server) => server.name === before.name)?.digest === before.digest) return replace(current);
  throw new CliError(
    "not-reviewed",
    `another writer changed the entry of ${before.name} after the visit began; the lock keeps that change`,
    {
      fix: "look at the new state with agentprint check, and approve again",
    },
  );
}
