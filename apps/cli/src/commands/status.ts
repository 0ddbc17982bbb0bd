import { hashCanonical } from "@agentprint/canonical-json";
import type { ConfigScope } from "@agentprint/client-configs";
import { CLIENTS } from "@agentprint/client-configs/client-table";
import { EXIT, type ExitCode } from "@agentprint/findings";
import { LOCK_VERSION, type LockFile, readingCanonicalPayload } from "@agentprint/mcp-lock/lock";
import { escapeText } from "@agentprint/report";
import { type Command, Option } from "commander";
import { type FoundServers, findServers } from "../clients/find-servers.ts";
import { recognizeGuard } from "../clients/wrapped-state.ts";
import { othersOf } from "../compare-configs/project-folder.ts";
import { type UnpinnedServer, unpinnedServers } from "../compare-configs/unpinned-servers.ts";
import { formatJson } from "../files/format-json.ts";
import { type LastChange, type LockHistory, readLockHistory } from "../git/lock-history.ts";
import { tellFound } from "../init/tell-found.ts";
import { coverageInWords } from "../lock/coverage-words.ts";
import { itemsInWords, launchInWords, summarizeEntry } from "../lock/entry-summary.ts";
import { missingLock, readLock, readLockIfPresent } from "../lock/read-lock.ts";
import { addLockOptions, type LockOptions } from "../options/lock-options.ts";
import { acceptedInWords } from "../policy/policy-words.ts";
import { readSettings } from "../policy/read-policy.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import type { ReadAttestation, ReadAttestations } from "../statement/attestations.ts";
import { listAttestations } from "../statement/list-attestations.ts";
import type { Examples } from "../terminal/examples.ts";
import { printNotices } from "../terminal/notices.ts";
import { collect } from "../terminal/option-parsers.ts";
import { printError } from "../terminal/report-error.ts";

type StatusOptions = LockOptions & {
  readonly mcpConfig: readonly string[];
  readonly scope?: ConfigScope;
  readonly digest?: true;
};

export const examples: Examples = [
  ["agentprint status", "what is pinned, and which of the clients' servers are not; exit 1 if any"],
  ["agentprint status --scope project", "without the servers that you configured for all projects; for CI"],
  ["agentprint status --mcp-config servers.json", "only with this configuration's servers"],
  ["agentprint status --digest", "one digest of all tools, skills and instruction files of the lock"],
];

export function define(command: Command): void {
  command
    .option("--mcp-config <file>", "read this configuration instead of the clients'; repeatable", collect, [])
    .addOption(
      new Option("--scope <scope>", "only the project's configurations, or only the user's").choices([
        "project",
        "user",
      ]),
    )
    .addOption(
      new Option(
        "--digest",
        "print one digest of everything in the lock that an agent reads, and nothing else",
      ).conflicts(["mcpConfig", "scope"]),
    );
  addLockOptions(command);
}

export async function run(context: Context, options: StatusOptions): Promise<ExitCode> {
  const { lock: file, format, mcpConfig, scope, digest } = options;
  if (digest) return writeDigest(context, options);
  const found = await findServers(context, process.platform, {
    clients: CLIENTS,
    scopes: scope === undefined ? ["project", "user"] : [scope],
    files: mcpConfig,
    recognize: await recognizeGuard(context, file),
    merge: "client",
    isForEverybody: scope === "project",
    ...(scope !== "user" && { others: await othersOf(context, file) }),
  });
  const lock = await readPinned(context, file, found);
  const history = await historyOrProblem(context, file, lock);
  const { attestations, problems } = await attestedIn(context, file, lock);
  const notPinned = unpinnedServers(context, lock, found.servers);
  if (format === "json") {
    const servers = lock.servers.map((entry) => ({ ...summarizeEntry(entry), ...sinceOf(history, entry.name) }));
    const problem = typeof history === "string" ? { gitProblem: history } : {};
    const { policy } = lock;
    context.stdout.write(
      formatJson({ lock: file, servers, attestations, notPinned, ...(policy && { policy }), ...problem }),
    );
  } else {
    writeText(context, lock, { history, attestations, notPinned });
  }
  tellFound(context, found);
  for (const problem of problems) printError(context, problem);
  if (found.problems.length + problems.length > 0) return EXIT.unknown;
  return notPinned.length > 0 ? EXIT.drift : EXIT.same;
}

/** Writes the digest of everything that an agent reads. */
async function writeDigest(context: Context, { lock: file, format }: StatusOptions): Promise<ExitCode> {
  const digest = hashCanonical(readingCanonicalPayload((await readLock(context, file)).lock));
  context.stdout.write(format === "json" ? formatJson({ lock: file, digest }) : `${digest}\n`);
  return EXIT.same;
}

/**
 * Returns the lock; if there is none, returns a lock without servers if configurations name servers that it should
 * contain.
 */
async function readPinned(context: Context, file: string, { servers }: FoundServers): Promise<LockFile> {
  const read = await readLockIfPresent(context, file);
  if (read !== undefined) return read.lock;
  if (servers.length === 0) throw missingLock(file);
  return { lockVersion: LOCK_VERSION, servers: [] };
}

/** Returns the history of the entries, or the reason why there is none. */
async function historyOrProblem(context: Context, file: string, lock: LockFile): Promise<LockHistory | string> {
  if (lock.servers.length === 0) return new Map();
  try {
    return await readLockHistory(context, file, lock);
  } catch (error) {
    if (error instanceof CliError && error.code === "git-failed") return error.message;
    throw error;
  }
}

/** Returns a member with the commit that gave an entry its current state; no member if Git could not find it. */
function sinceOf(history: LockHistory | string, name: string): { since?: LastChange | "uncommitted" } {
  const since = typeof history === "string" ? undefined : history.get(name);
  return since === undefined ? {} : { since };
}

/** Returns the attestations next to a lock. Most locks have none, so that nothing that reads them is loaded. */
async function attestedIn(context: Context, file: string, { servers }: LockFile): Promise<ReadAttestations> {
  const files = await listAttestations(context, file);
  if (files.length === 0) return { attestations: [], problems: [] };
  const [{ readAttestations }, { reviewers }] = await Promise.all([
    import("../statement/attestations.ts"),
    readSettings(context, file),
  ]);
  return readAttestations(context, files, servers, reviewers);
}

/** Facts about a lock that the lock itself does not hold. */
interface Known extends Pick<ReadAttestations, "attestations"> {
  readonly history: LockHistory | string;
  readonly notPinned: readonly UnpinnedServer[];
}

function writeText(context: Context, { servers, policy }: LockFile, { history, attestations, notPinned }: Known): void {
  const { stdout } = context;
  const { bold, dim, green, yellow } = context.colorsOf(stdout);
  for (const entry of servers) {
    stdout.write(
      `${green("pinned")} ${bold(escapeText(entry.name))} ${itemsInWords(entry)}\n  ${launchInWords(entry)}\n`,
    );
    const { since } = sinceOf(history, entry.name);
    if (since !== undefined) stdout.write(`  ${dim(sinceInWords(since))}\n`);
    for (const each of attestations.filter(({ server }) => server === entry.name)) {
      stdout.write(
        `  ${each.matches ? green("attested") : yellow("attested an earlier entry")} ${escapeText(attestedInWords(each))}\n`,
      );
    }
    const coverage = coverageInWords(entry);
    if (coverage !== undefined) stdout.write(`  ${dim(`launch ${coverage}`)}\n`);
    stdout.write(`  ${dim(`digest ${entry.digest}`)}\n`);
  }
  if (servers.length > 0) stdout.write(`${bold("policy")} ${escapeText(acceptedInWords(policy))}\n`);
  for (const { name, configs, reason, launch } of notPinned) {
    const why = reason === "other-launch" ? ", but a different launch is pinned" : "";
    stdout.write(`${yellow("not pinned")} ${bold(escapeText(name))} of ${escapeText(configs.join(", "))}${why}\n`);
    const entry = reason === "other-launch" ? servers.find((each) => each.name === name) : undefined;
    if (entry) stdout.write(`  pinned:     ${launchInWords(entry)}\n  configured: ${launchInWords({ launch })}\n`);
    else stdout.write(`  ${launchInWords({ launch })}\n`);
  }
  const isPinned = (name: string): boolean => servers.some((entry) => entry.name === name);
  printNotices(
    context,
    attestations
      .filter(({ server }) => !isPinned(server))
      .map((each) => `${each.server} is attested ${attestedInWords(each)}, but not pinned`),
  );
  if (typeof history === "string") printNotices(context, [`it is unknown since when servers are pinned: ${history}`]);
}

function attestedInWords({ reviewer, issued, note }: ReadAttestation): string {
  const words = note === undefined ? "" : `: ${note}`;
  return `by ${reviewer} on ${dayOf(issued)}${words}`;
}

function dayOf(date: string): string {
  return date.slice(0, "2026-11-22".length);
}

function sinceInWords(since: LastChange | "uncommitted"): string {
  if (since === "uncommitted") return "not committed yet";
  const { commit, date, isOrOlder } = since;
  return `since ${dayOf(date)} by commit ${commit.slice(0, 12)}${isOrOlder ? ", or for longer: the history of this clone ends there" : ""}`;
}
