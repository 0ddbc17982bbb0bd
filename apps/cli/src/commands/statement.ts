import { count, type ExitCode, type Finding, judgeReport, type Report } from "@agentprint/findings";
import type { LockedServer, LockFile } from "@agentprint/mcp-lock";
import {
  type AcceptedStatement,
  acceptedOf,
  type FollowedKeys,
  followKeys,
  keyHistoryPlace,
  MAX_STATEMENT_BYTES,
  openStatement,
  type ProvenStatement,
  proveByHistory,
  proveOpened,
  STATEMENT_RULES,
  type StatementProblem,
  type StatementVerifier,
  statementFindings,
} from "@agentprint/statement";
import type { Command } from "commander";
import { readIfPresent } from "../files/planned-file.ts";
import { readInput } from "../files/read-input.ts";
import { findEntry } from "../lock/find-entry.ts";
import { DEFAULT_LOCK, readLock } from "../lock/read-lock.ts";
import { addReportOptions, type ReportOptions } from "../report/report-options.ts";
import { writeReport } from "../report/write-report.ts";
import type { Context } from "../run/context.ts";
import { readable } from "../statement/read-statement.ts";
import { openerOf, type Signers, signersFor } from "../statement/signers.ts";
import type { Examples } from "../terminal/examples.ts";
import { collect } from "../terminal/option-parsers.ts";

const COMMAND = "agentprint statement";

interface StatementOptions extends ReportOptions {
  readonly key?: readonly string[];
  readonly lock: string;
  readonly before?: string;
  readonly accepted?: string;
}

export const examples: Examples = [
  ["agentprint statement files.statement.json files --key author.pub", "whether it is true of the pinned server"],
  ["agentprint statement files.statement.json files", "the same, with keys and identities in agentprint.config.json"],
  [
    "agentprint statement files.statement.json files --key author.pub --before old.lock --accepted old.statement.json",
    "and whether its verdict matches the change from the old lock, and it follows the old statement",
  ],
];

export function define(command: Command): void {
  command
    .argument("<file>", "the statement: a DSSE envelope or a Sigstore bundle")
    .argument("<server>", "the name of the server in the lock file")
    .option(
      "--key <file>",
      "a public Ed25519 key that may sign for the server, instead of the configuration's, in PEM or Base64; repeatable",
      collect,
    )
    .option("-l, --lock <file>", "the lock file; the configuration is next to it", DEFAULT_LOCK)
    .option("--before <file>", "the lock file before the change, against which the verdict is proven")
    .option("--accepted <file>", "the statement that was accepted before");
  addReportOptions(command);
}

export async function run(
  context: Context,
  file: string,
  server: string,
  options: StatementOptions,
): Promise<ExitCode> {
  const { lock } = await readLock(context, options.lock);
  const served = findEntry(lock, server, options.lock);
  const locked = options.before === undefined ? undefined : await entryIn(context, options.before, server);
  const text = await readInput(context, file, MAX_STATEMENT_BYTES);
  const last = options.accepted;
  const lastText = last === undefined ? undefined : await readInput(context, last, MAX_STATEMENT_BYTES);
  const signers = await signersFor(context, server, lastText === undefined ? [text] : [text, lastText], options);
  const open = await openerOf(context, text, signers);
  const followed = await followBeside(context, file, signers, lock);
  const accepted = last && lastText && (await readAccepted(context, last, lastText, { signers, followed }));
  const facts = { now: new Date(), served, ...(locked && { locked }), ...(accepted && { accepted }) };
  const proven = readable(file, "get the statement again from the author of the server", () =>
    open === undefined ? proveByHistory(text, followed, facts) : proveOpened(open, facts),
  );
  // A Sigstore bundle has no key history.
  const ofKeys = open === undefined ? followed.problems : [];
  const report = reportOf(proven, ofKeys, { file, server });
  return writeReport(context, judgeReport(report, isError), options, [file]);
}

/** Follows the key history next to a statement, and what the lock remembers about the keys. */
async function followBeside(
  context: Context,
  file: string,
  { server, keys, lock: lockFile }: Signers,
  { authorKeys = [] }: LockFile,
): Promise<FollowedKeys> {
  const history = await readIfPresent(context, keyHistoryPlace(file));
  const remembered = authorKeys.find((each) => each.server === server);
  const named = keys.map(({ publicKey }) => publicKey);
  const facts = { now: new Date(), keys: named, revoked: authorKeys.flatMap(({ revoked }) => revoked) };
  return readable(lockFile, "correct authorKeys in the lock", () =>
    followKeys(history, { ...facts, ...(remembered && { remembered }) }),
  );
}

/** Returns all keys that were once valid; a successor that nobody accepted was never valid. */
function allKeys({ current, former, unaccepted }: FollowedKeys): StatementVerifier[] {
  const proposed = new Set(unaccepted.map(({ keyId }) => keyId));
  return [...current, ...former.map(({ key }) => key)].filter(({ keyId }) => !proposed.has(keyId));
}

async function entryIn(context: Context, file: string, server: string): Promise<LockedServer> {
  return findEntry((await readLock(context, file)).lock, server, file);
}

/** Opens the previously accepted statement with any key that was once valid. */
async function readAccepted(
  context: Context,
  file: string,
  text: Uint8Array,
  { signers, followed }: { readonly signers: Signers; readonly followed: FollowedKeys },
): Promise<AcceptedStatement> {
  const open = await openerOf(context, text, signers);
  return readable(file, "give the accepted statement, and also who signed it", () =>
    acceptedOf(open === undefined ? openStatement(text, allKeys(followed)) : open()),
  );
}

function reportOf(
  { opened, problems }: ProvenStatement,
  ofKeys: readonly StatementProblem[],
  { file, server }: { readonly file: string; readonly server: string },
): Report {
  const findings = [
    ...statementFindings(ofKeys, server, keyHistoryPlace(file)),
    ...statementFindings(problems, server, file),
  ];
  const errors = findings.filter(isError).length;
  const holds = errors === 0 ? "holds" : `does not hold: ${count(errors, "error")}`;
  const stated = opened && { ...opened.statement.predicate.server, digest: opened.digest, keyId: opened.keyId };
  return {
    command: COMMAND,
    title: COMMAND,
    summary: `the statement about ${server} ${holds}`,
    findings,
    rules: STATEMENT_RULES,
    checked: [server],
    data: { statement: stated ?? {} },
  };
}

/** Returns whether a finding makes the statement invalid. */
function isError({ level }: Finding): boolean {
  return level === "error";
}
