import { createInterface } from "node:readline/promises";
import {
  type DriftReport,
  driftToReport,
  type LockedServer,
  type LockFile,
  lockServer,
  withServer,
} from "@agentprint/mcp-lock";
import { escapeText } from "@agentprint/report";
import { type Command, InvalidArgumentError, Option } from "commander";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-code.ts";
import { givenStarts, splitAtDashes } from "../launch/choose-starts.ts";
import { passOn } from "../launch/pass-on.ts";
import { startFromEnvironment } from "../launch/start.ts";
import { compareWithLock } from "../lock/compare.ts";
import { requireLock, updateLock } from "../lock/lock-store.ts";
import { commandLine } from "../terminal/command-line.ts";
import { addExamples } from "../terminal/examples.ts";
import { printError } from "../terminal/report-error.ts";
import { addReportOptions, type ReportOptions, writeReport } from "../terminal/write-report.ts";
import { addVisitOptions, type VisitOptions } from "../visit-options.ts";

type ApproveOptions = VisitOptions & ReportOptions & { readonly expect?: string; readonly yes: boolean };

export function registerApprove(program: Command): void {
  const command = program
    .command("approve")
    .description("Show what changed in one pinned server and take its new state into the lock file")
    .usage("[options] <server> [-- command...]")
    .argument("<server>", "name in the lock file")
    .argument("[command...]", "after --: a new launch of the server")
    .addOption(
      new Option(
        "--expect <digest>",
        "take only the state with this digest (or tools digest), as check and approve print it",
      ).argParser(digest),
    )
    .option("-y, --yes", "do not ask, even on a terminal", false)
    .action(async (first: string, operands: string[], options: ApproveOptions) => {
      const { servers, launched } = splitAtDashes(command, [first, ...operands]);
      const [server, ...others] = servers;
      if (server === undefined || others.length > 0) {
        throw new CliError("usage", "approve takes one server at a time", { expected: "agentprint approve <server>" });
      }
      process.exitCode = await approve(server, launched, options);
    });
  addVisitOptions(command);
  addReportOptions(command);
  addExamples(command, [
    ["agentprint approve filesystem", "shows the difference, and asks on a terminal"],
    ["agentprint approve filesystem --expect 3f6b…", "takes what was reviewed and nothing else; for scripts"],
    ["agentprint approve filesystem -- npx -y server-filesystem@2026.7.4 .", "with a new launch"],
    ["agentprint approve github --env GITHUB_TOKEN", "as it was launched, with one more variable passed on"],
  ]);
}

async function approve(name: string, launched: readonly string[], options: ApproveOptions): Promise<number> {
  const { lock, text: lockText } = await requireLock(options.lock);
  const reviewed = lock.servers.find((server) => server.name === name);
  if (!reviewed) {
    throw new CliError("usage", `${name} is not in ${options.lock}`, {
      expected: `one of ${lock.servers.map((server) => server.name).join(", ") || "no server"}`,
      fix: `pin it first: ${commandLine(["agentprint", "pin", "--name", name])} -- <command…>`,
    });
  }
  const given = await givenStarts(options, launched, name);
  const start = given.find((other) => other.name === name) ?? startFromEnvironment(name, reviewed.launch);
  const { drift, found, errors } = await compareWithLock(lock, passOn([start], options), 1, options);
  const report = driftToReport(drift, { lockFile: options.lock, lockText });
  await writeReport({ ...report, command: "agentprint approve", title: "agentprint approve" }, options);

  for (const [server, error] of errors) printError(error, server);
  const state = found[name];
  if (!state || "failure" in state || drift.outcome === "unknown") return EXIT.unknown;
  const now = lockServer(name, state);
  const refusal = options.expect === undefined ? undefined : refuse(options.expect, reviewed, now, drift);
  if (refusal) {
    printError(refusal);
    return EXIT.difference;
  }
  if (drift.outcome === "same") return EXIT.fine;
  if (options.expect === undefined && !options.yes && !(await confirmed(name, options.lock))) return EXIT.difference;
  await updateLock(options.lock, (current) =>
    replaceReviewed(current, reviewed, (latest) => withServer(latest, name, state)),
  );
  process.stderr.write(`approved ${escapeText(name)}: ${escapeText(options.lock)} has digest ${now.digest}\n`);
  return EXIT.fine;
}

/** Why the state found is not the one that was reviewed; nothing when it is. */
function refuse(expected: string, before: LockedServer, now: LockedServer, drift: DriftReport): CliError | undefined {
  if (expected === now.digest) return undefined;
  const unseen = drift.servers.flatMap(({ drifts }) => drifts).filter(isOutsideTools);
  if (expected === now.toolsDigest && unseen.length === 0) return undefined;
  const isTools = expected === now.toolsDigest;
  return new CliError(
    "not-reviewed",
    isTools
      ? `the tools of ${before.name} are what was reviewed, but texts beside its tools changed too; the lock is unchanged`
      : `${before.name} is not in the state that was reviewed; the lock is unchanged`,
    {
      expected: `digest ${expected}`,
      where: `digest ${now.digest}, tools digest ${now.toolsDigest}`,
      fix: "review the difference above, then approve with --expect and the digest of the whole",
    },
  );
}

/** Whether a change reaches the model by another way than the tools. */
function isOutsideTools(drift: DriftReport["servers"][number]["drifts"][number]): boolean {
  if (drift.type === "part-changed") return drift.part === "instructions";
  return "kind" in drift && drift.kind !== "tool";
}

async function confirmed(name: string, file: string): Promise<boolean> {
  // Without a terminal there is nobody to ask: who runs `approve` in a script has said yes.
  if (!process.stdin.isTTY || !process.stderr.isTTY) return true;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`Take this state of ${escapeText(name)} into ${escapeText(file)}? [y/N] `);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

/** Changes the entry only if it is still the one that the difference was shown against. */
function replaceReviewed(
  current: LockFile | undefined,
  reviewed: LockedServer,
  replace: (lock: LockFile) => LockFile,
): LockFile {
  if (current?.servers.find((server) => server.name === reviewed.name)?.digest === reviewed.digest)
    return replace(current);
  throw new CliError(
    "not-reviewed",
    `someone else changed the entry of ${reviewed.name} meanwhile; it is left as they wrote it`,
    {
      fix: "look at the new state with agentprint check, and approve again",
    },
  );
}

function digest(text: string): string {
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw new InvalidArgumentError("expected 64 lowercase hexadecimal digits.");
}
