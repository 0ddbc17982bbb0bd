import { EXIT, type ExitCode, type JudgedReport, judgeReport } from "@agentprint/findings";
import { type Command, Option } from "commander";
import { type Candidate, driftOf, isChanged } from "../approve/candidate.ts";
import { noticeOtherLaunches, type OtherFix } from "../approve/notice-other-launches.ts";
import { reviewOf } from "../approve/review.ts";
import { selectServers } from "../approve/select-servers.ts";
import { authorsOf, type ShownAuthors } from "../approve/shown-authors.ts";
import { visitEntries } from "../approve/visit-entries.ts";
import { walk } from "../approve/walk.ts";
import { type ApprovedBeside, writeApproved } from "../approve/write-approved.ts";
import { approveLine, reviewedDigest } from "../check/approve-line.ts";
import { collectFindings, noticeUnvisited, visitsOf } from "../check/collect.ts";
import { splitAtDashes } from "../clients/targets-from-arguments.ts";
import type { ServerTarget } from "../launch/server-target.ts";
import { readLock } from "../lock/read-lock.ts";
import { addScriptsOption } from "../options/scripts-option.ts";
import {
  addLaunchOptions,
  addSettingsHelp,
  addUnstableOption,
  type LaunchOptions,
  withVisits,
} from "../options/visit-options.ts";
import { checkPolicy, readPolicy } from "../policy/read-policy.ts";
import { wholeFindingsByPolicy } from "../policy/report-by-policy.ts";
import { addPolicyOption, addServerReportOptions, isReadAsText, type ReportOptions } from "../report/report-options.ts";
import { isCutShort, writeReport } from "../report/write-report.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import type { Project } from "../sources/source.ts";
import { canAsk } from "../terminal/ask.ts";
import type { Examples } from "../terminal/examples.ts";
import { printNotices } from "../terminal/notices.ts";
import { digest } from "../terminal/option-parsers.ts";
import { printError } from "../terminal/report-error.ts";

type ApproveOptions = LaunchOptions &
  ReportOptions & {
    readonly config?: string;
    readonly all: boolean;
    readonly expect?: string;
    readonly from?: string;
    readonly policy: boolean;
    readonly pending: boolean;
    readonly yes: boolean;
    readonly allowUnstable: readonly string[];
    readonly allowScripts: readonly string[];
  };

export const examples: Examples = [
  ["agentprint approve filesystem", "show the difference, and ask on a terminal"],
  ["agentprint approve --all", "walk through the findings, server by server"],
  ["agentprint approve filesystem --expect 3f6b…", "accept the state that was reviewed and no other; for scripts"],
  ["agentprint approve filesystem memory --expect 9c01…", "the same for the states of several servers"],
  ["agentprint approve --from report.json", "accept exactly what a report of check --format json shows"],
  ["agentprint approve --all --full --format markdown --output changes.md", "every change in full, for a review"],
  ["agentprint approve --all --yes --lock tests.lock", "whatever they are, in another lock"],
  ["agentprint approve --policy --config release.json", "accept the policy in this file, after showing what it allows"],
  ["agentprint approve --pending", "review the servers that the guard refused to start, and pin them"],
  ["agentprint approve filesystem -- npx -y @modelcontextprotocol/server-filesystem@2026.7.4 .", "with a new launch"],
  [
    "agentprint approve files --allow-scripts esbuild -- npx -y files-server@2.0.0",
    "with an upgrade that brings a package with install scripts",
  ],
  ["agentprint approve web --url https://mcp.example.com/v2 --header AUTHORIZATION", "with a new address"],
  ["agentprint approve github --env GITHUB_TOKEN", "with the pinned launch and an additional variable"],
  ["agentprint approve github --mcp-config .mcp.json", "with the launch of a client's configuration"],
  ["agentprint approve runs --allow-unstable /tools/_meta/requestId", "without a member that differs at each reading"],
];

export function define(command: Command): void {
  command
    .usage(
      "[options] <server...> [-- command...]\n       agentprint approve [options] --all\n       agentprint approve [options] --policy",
    )
    .argument("[server...]", "names in the lock file; after --: a new launch of the one server")
    .option("--all", "approve every changed server in the lock file", false)
    .addOption(
      new Option(
        "--expect <digest>",
        "accept only the state with this digest or tools digest, or several servers with the digest of all their states; check and approve print it",
      ).argParser(digest),
    )
    .addOption(
      new Option(
        "--from <report>",
        "accept what this report of check --format json shows, and nothing that changed since",
      ).conflicts(["all", "expect", "yes"]),
    )
    .option("--policy", "accept the current policy, which check compares with the accepted one in the lock file", false)
    .option("--pending", "visit the servers that the guard refused to start, show what they offer, and ask", false)
    .option("-y, --yes", "accept the new states without asking, whatever they are", false);
  addLaunchOptions(addScriptsOption(addUnstableOption(command)));
  addPolicyOption(command);
  addServerReportOptions(command);
  addSettingsHelp(command);
}

const HEAD = { command: "agentprint approve", title: "agentprint approve" };

export async function run(
  context: Context,
  operands: readonly string[],
  options: ApproveOptions,
  command: Command,
): Promise<ExitCode> {
  const { servers, launched } = splitAtDashes(command, operands);
  if (options.policy || options.pending) return approveOther(context, servers, launched, options);
  const review = await reviewOf(context, options);
  const { lock, text } = await readLock(context, options.lock);
  const configured = await readPolicy(context, options);
  const policy = await checkPolicy(configured, lock);
  printNotices(context, policy.notices);
  const entries = selectServers(lock, servers, options, review?.shown);
  const isWalk = review === undefined && canAsk(context);
  const visits = withVisits(context, options, configured.settings.visits);
  const visiting = { ...visits, isAsked: isWalk, names: review?.names ?? [] };
  const visited = await visitEntries(context, lock, entries, launched, visiting);
  const { targets, drift, candidates, failures, files } = visited;
  const authors = await authorsOf(context, candidates, { policy: policy.policy, file: options.lock, lock });
  const changed = candidates.filter((each) => isChanged(each) || authors.hasNews(each));
  const unchanged = candidates.filter((each) => !changed.includes(each));
  const judgement = { policy, weakened: [], strengthened: [] };
  const project: Project = { context, file: options.lock, lock, scope: "approval", names: [], judgement };
  const place = { lockFile: options.lock, lockText: text };
  const reportOn = async (names: readonly string[]): Promise<JudgedReport> => {
    const some = { ...visitsOf(driftOf(drift, names), place), authors: authors.about(names) };
    const { report } = await collectFindings(project, some);
    // An approval shows what changed, whatever a policy decides about it.
    const { outcome } = judgeReport(some.report);
    return { ...report, findings: wholeFindingsByPolicy(report, policy, authors), outcome, ...HEAD };
  };

  // A walk shows a server's changes when it asks about that server.
  const shownLater = new Set(isWalk && isReadAsText(options) ? namesOf(changed) : []);
  const namesOfEntries = entries.map(({ name }) => name);
  const shown = namesOfEntries.filter((name) => !shownLater.has(name));
  if (shown.length > 0) await writeReport(context, await reportOn(shown), options);
  for (const { name, error } of failures) printError(context, error, name, isReadAsText(options));
  if (review === undefined) noticeUnvisited(context, lock, drift);
  const settings = { lock, settings: configured.settings };
  const otherConfigs = await noticeOtherLaunches(context, settings, namesOfEntries, options, launched);

  if (isWalk) {
    const stops = await Promise.all(
      changed.map(async (candidate) => ({ candidate, report: await reportOn([candidate.before.name]) })),
    );
    const accepted = await walk(context, stops, options.lock, options);
    const news = newsToWrite(context, authors, { yes: true });
    await writeApproved(context, accepted, options.lock, { ...news, unchanged, edited: files });
    if (failures.length > 0) return EXIT.unknown;
    return accepted.length < changed.length ? EXIT.drift : EXIT.same;
  }
  if (failures.length > 0) return EXIT.unknown;
  // An already approved entry has no differences. Differences that servers share depend on the set of visited servers.
  const findings = wholeFindingsByPolicy(visitsOf(driftOf(drift, namesOf(changed))).report, policy, authors);
  const found = context.hidden.replaceIn(findings.filter(({ place }) => place.server !== undefined));
  const refusal = review?.refuse(candidates, found, fixWith(otherConfigs, targets, options));
  if (refusal) {
    printError(context, refusal);
    return EXIT.drift;
  }
  if (changed.length > 0 && review === undefined) {
    const cut = namesOf(changed).map(async (name) => isCutShort(await reportOn([name]), name, options));
    const isCut = (await Promise.all(cut)).includes(true);
    const line = approveLine(targets, options, launched, reviewedDigest(candidates.map(({ after }) => after)));
    throw cannotAsk(isCut ? undefined : line);
  }
  await writeApproved(context, changed, options.lock, { ...newsToWrite(context, authors, options), unchanged });
  return EXIT.same;
}

/** @param configs The configuration that launches each server differently */
function fixWith(
  configs: ReadonlyMap<string, string>,
  targets: readonly ServerTarget[],
  options: ApproveOptions,
): OtherFix {
  return (names) => {
    if (!names.some((name) => configs.has(name))) return undefined;
    const line = approveLine(targets, { ...options, mcpConfig: [...new Set(configs.values())] }, [], options.expect);
    return `approve the launch of the configuration: ${line}`;
  };
}

function namesOf(candidates: readonly Candidate[]): string[] {
  return candidates.map(({ before }) => before.name);
}

/**
 * Returns the author updates that an approval without a terminal accepts: the digest of a state does not cover its
 * author's keys.
 */
function newsToWrite(
  context: Context,
  { allKeys, safeKeys, isRotated, held, heldByAllKeys }: ShownAuthors,
  { yes }: Pick<ApproveOptions, "yes">,
): Pick<ApprovedBeside, "keys" | "statements"> {
  if (yes) return { keys: allKeys, statements: heldByAllKeys };
  if (isRotated) {
    printNotices(context, ["this does not accept an author's new key: approve on a terminal, or with --yes"]);
  }
  return { keys: safeKeys, statements: held };
}

/** Reviews the policy, or the servers that the guard refused to start. */
async function approveOther(
  context: Context,
  servers: readonly string[],
  launched: readonly string[],
  options: ApproveOptions,
): Promise<ExitCode> {
  if (options.policy) {
    refuseServers(servers, launched, options, ["--policy", "the policy"]);
    const { approvePolicy } = await import("../approve/approve-policy.ts");
    return approvePolicy(context, options);
  }
  refuseServers(servers, launched, options, ["--pending", "the servers that the guard refused to start"]);
  const { approvePending } = await import("../approve/approve-pending.ts");
  const configured = await readPolicy(context, options);
  return approvePending(context, withVisits(context, options, configured.settings.visits), configured);
}

/** Refuses arguments that name servers: neither a policy nor pending servers are reviewed together with pinned servers. */
function refuseServers(
  servers: readonly string[],
  launched: readonly string[],
  { all, from, url, mcpConfig }: ApproveOptions,
  [option, what]: readonly [option: string, what: string],
): void {
  if (
    servers.length + launched.length === 0 &&
    !all &&
    from === undefined &&
    url === undefined &&
    mcpConfig.length === 0
  )
    return;
  throw new CliError("usage", `${option} accepts ${what} and nothing else`, {
    expected: `agentprint approve ${option}, without the names or launches of servers`,
    fix: "approve the servers afterwards",
  });
}

function cannotAsk(approve: string | undefined): CliError {
  return new CliError("not-reviewed", "without a terminal, approve needs --yes or --expect; the lock is unchanged", {
    expected: "--expect <digest> with the digest of the state that was reviewed, or --yes",
    fix:
      approve === undefined
        ? "approve again with --full, which shows every change in full, and review the differences"
        : `review the differences above, then run: ${approve}`,
  });
}
