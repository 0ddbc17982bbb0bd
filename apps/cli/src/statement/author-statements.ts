import { dirname, join } from "node:path";
import type { Finding, Report } from "@agentprint/findings";
import {
  type LockedKeys,
  type LockedServer,
  type LockedStatement,
  type LockFile,
  lockServer,
  McpLockError,
  withAuthorKeys,
  withKnownFiles,
} from "@agentprint/mcp-lock";
import type { Policy, StatementRule } from "@agentprint/policy";
import { PATCH_RULES } from "@agentprint/release";
import {
  type FollowedKeys,
  followKeys,
  forgottenKeys,
  isProvenPatch,
  keyHistoryPlace,
  lockedStatement,
  MAX_HISTORY_BYTES,
  MAX_STATEMENT_BYTES,
  type ProvenStatement,
  proveByHistory,
  STATEMENT_RULES,
  StatementError,
  type StatementFacts,
  type StatementProblem,
  type StatementRuleId,
  statementFindings,
} from "@agentprint/statement";
import type { Context } from "../context.ts";
import { CliError, isMissing, reasonOf } from "../errors.ts";
import { readRegularFile } from "../json/read-input.ts";
import { readAddress } from "../registry/read-address.ts";
import type { VisitResult } from "../visit/visit-servers.ts";

/** A server that was visited, and what is known of it. */
export interface VisitedServer {
  readonly served: LockedServer;
  /** The server as it is pinned; absent where it is not. */
  readonly locked?: LockedServer | undefined;
}

/** Returns the servers that answered, beside their entries. One whose answers cannot be pinned is left to the comparison with the lock. */
export function visitedServers(visits: readonly VisitResult[], lock: LockFile): VisitedServer[] {
  return visits.flatMap((visit) => {
    if ("error" in visit) return [];
    const { name, answers } = visit;
    const locked = lock.servers.find((entry) => entry.name === name);
    try {
      const { unstable = [] } = locked ?? {};
      return [{ served: lockServer(name, locked ? withKnownFiles(locked, answers) : answers, { unstable }), locked }];
    } catch (error) {
      if (error instanceof McpLockError) return [];
      throw error;
    }
  });
}

/** The statements that were proven of the servers of a run. */
export interface ProvenAuthors {
  readonly findings: readonly Finding<StatementRuleId>[];
  /** The statements that hold, in what a lock keeps of them. */
  readonly held: readonly LockedStatement[];
  /** What the lock does not remember yet of the keys of authors. */
  readonly keys: readonly NewKeys[];
  /** Whether a finding is about a change that the author may state without a person. */
  readonly isAccepted: (finding: Pick<Finding, "rule" | "place">) => boolean;
}

/** What is new about the keys of an author. */
export interface NewKeys {
  readonly learned: LockedKeys;
  /** Whether another key is to speak for the author, which nobody has accepted. */
  readonly isRotated: boolean;
}

/** What a lock may remember where nobody looked: that keys are revoked, and no other key that speaks for an author. */
export function withoutRotations(keys: readonly NewKeys[]): LockedKeys[] {
  return keys.flatMap(({ learned, isRotated }) => (isRotated ? [] : learned));
}

/** The policy and the lock that the statements of a run are compared with. */
export interface Surroundings {
  readonly policy: Policy;
  /** The path of the lock, from whose folder the places of statements go. */
  readonly file: string;
  readonly lock: LockFile;
  /** The lock before a change, which cannot choose the statement that the next one is compared with, nor forget a key. */
  readonly base?: LockFile | undefined;
}

/**
 * Proves the statements that a policy names of servers that were visited, against what they serve, the lock and the statements that were
 * accepted before. A statement that is not there is a finding: an error where the policy requires it, else a note.
 */
export async function proveAuthors(
  context: Context,
  servers: readonly VisitedServer[],
  surroundings: Surroundings,
): Promise<ProvenAuthors> {
  const { policy, lock, base, file } = surroundings;
  const { statements = {} } = policy;
  const authorKeys = (base ? withAuthorKeys(base, lock.authorKeys ?? []) : lock).authorKeys ?? [];
  const accepted = (base ?? lock).statements ?? [];
  const all = await Promise.all(
    servers.flatMap((server) => {
      const { name } = server.served;
      const rule = Object.hasOwn(statements, name) ? statements[name] : undefined;
      return rule === undefined ? [] : [proveAuthor(context, server, rule, { file, accepted, authorKeys })];
    }),
  );
  const patched = new Set(all.flatMap(({ patch }) => patch ?? []));
  return {
    findings: [...forgottenKeys(base?.authorKeys, lock.authorKeys, file), ...all.flatMap(({ findings }) => findings)],
    held: all.flatMap(({ held }) => held ?? []),
    keys: all.flatMap(({ keys }) => keys ?? []),
    isAccepted: ({ rule, place }) => PATCH_RULES.includes(rule) && patched.has(place.server ?? ""),
  };
}

/** The findings on the statement of one server, and the use of a proven one. */
interface ProvenAuthor {
  readonly findings: readonly Finding<StatementRuleId>[];
  readonly held?: LockedStatement;
  readonly keys?: NewKeys;
  /** The name of the server, where its author may state the change without a person. */
  readonly patch?: string;
}

/** What a lock remembers of authors. */
interface Remembered {
  readonly accepted: readonly LockedStatement[];
  readonly authorKeys: readonly LockedKeys[];
}

async function proveAuthor(
  context: Context,
  { served, locked }: VisitedServer,
  { from, keys, required, accept }: StatementRule,
  { file, accepted, authorKeys }: Remembered & { readonly file: string },
): Promise<ProvenAuthor> {
  const { name } = served;
  const text = await readPlace(context, from, file).catch((error: unknown) => reasonOf(error));
  if (typeof text === "string") {
    const message = `there is no statement: ${text}`;
    const findings = statementFindings([{ rule: "statement/missing", path: "", message }], name, from);
    return { findings: required ? findings : findings.map((finding) => ({ ...finding, level: "note" })) };
  }
  const place = keyHistoryPlace(from);
  const history = await readHistory(context, place, file).catch((error: unknown) => reasonOf(error));
  const facts = factsOf({ served, locked }, accepted);
  const proof =
    typeof history === "string" ? unreadable(history) : proveOrError({ text, history, keys, authorKeys, facts });
  if ("rule" in proof)
    return { findings: statementFindings([proof], name, typeof history === "string" ? place : from) };
  const { followed, proven } = proof;
  const findings = [
    ...statementFindings(followed.problems, name, place),
    ...statementFindings(proven.problems, name, from),
  ];
  const holds = findings.every(({ level }) => level !== "error");
  const isPatch = accept === "patch" && findings.length === 0 && isProvenPatch(proven, facts);
  const isRotated = followed.problems.some(({ rule }) => rule === "statement/key-rotated");
  return {
    findings,
    ...(proven.opened && holds && { held: lockedStatement(name, proven.opened) }),
    ...(followed.news && { keys: { learned: { server: name, ...followed.news }, isRotated } }),
    ...(isPatch && { patch: name }),
  };
}

/** The texts of an author, and what they are proven with. */
interface Proof {
  readonly text: Uint8Array;
  readonly history: Uint8Array | undefined;
  readonly keys: readonly string[];
  readonly authorKeys: readonly LockedKeys[];
  readonly facts: StatementFacts;
}

/** The keys and the statement as far as they are proven, or the reason why one cannot be read. */
function proveOrError({
  text,
  history,
  keys,
  authorKeys,
  facts,
}: Proof): { readonly followed: FollowedKeys; readonly proven: ProvenStatement } | StatementProblem {
  const remembered = authorKeys.find(({ server }) => server === facts.served.name);
  const revoked = authorKeys.flatMap((each) => each.revoked);
  try {
    const followed = followKeys(history, { now: facts.now, keys, revoked, ...(remembered && { remembered }) });
    return { followed, proven: proveByHistory(text, followed, facts) };
  } catch (error) {
    if (error instanceof StatementError) return unreadable(error.message, error.path);
    throw error;
  }
}

function unreadable(message: string, path = ""): StatementProblem {
  return { rule: "statement/unreadable", path, message };
}

/** @returns `undefined` where there is no history */
async function readHistory(context: Context, place: string, lock: string): Promise<Uint8Array | undefined> {
  try {
    return await readPlace(context, place, lock, MAX_HISTORY_BYTES);
  } catch (error) {
    const isAbsent = error instanceof CliError ? isMissing(error.cause) : /^HTTP (404|410)$/.test(reasonOf(error));
    if (isAbsent) return undefined;
    throw error;
  }
}

async function readPlace(
  context: Context,
  from: string,
  lock: string,
  maxBytes = MAX_STATEMENT_BYTES,
): Promise<Uint8Array> {
  if (/^https?:/.test(from)) return new TextEncoder().encode(await readAddress(context, from));
  return await readRegularFile(context, join(dirname(lock), from), maxBytes);
}

/** A verdict is proven only where every pinned session was visited. */
function factsOf({ served, locked }: VisitedServer, statements: readonly LockedStatement[]): StatementFacts {
  const visited = new Set(served.sessions.map(({ session }) => session));
  const isWhole = locked?.sessions.every(({ session }) => visited.has(session));
  const last = statements.find(({ server }) => server === served.name);
  const digests = packageDigests(served);
  return {
    now: new Date(),
    served,
    ...(locked && isWhole && { locked }),
    ...(last && { accepted: { ...last, digest: last.sha256 } }),
    ...(digests && { digests }),
  };
}

/** The digests of the one package of a launch, in hex; `undefined` where there is none or are several. */
function packageDigests({ artifacts = [] }: LockedServer): Record<string, string> | undefined {
  const [artifact, ...others] = artifacts;
  if (artifact?.integrity === undefined || others.length > 0) return undefined;
  const tokens = artifact.integrity.split(/\s+/).map((token) => /^(sha256|sha512)([-:])(.+)$/.exec(token) ?? []);
  return Object.fromEntries(
    tokens.flatMap(([, algorithm, mark, value]) => {
      if (algorithm === undefined || value === undefined) return [];
      return [[algorithm, mark === ":" ? value : Buffer.from(value, "base64").toString("hex")]];
    }),
  );
}

/** A report with the findings on the statements of authors, and a note at each change that one of them proves. */
export function withAuthors(report: Report, { findings, isAccepted }: ProvenAuthors): Report {
  const note = "The statement of the author proves that a model reads nothing new and calls stay the same";
  const noted = report.findings.map((finding) => (isAccepted(finding) ? { ...finding, note } : finding));
  if (findings.length === 0) return { ...report, findings: noted };
  const errors = findings.filter(({ level }) => level !== "note");
  const servers = [...new Set(errors.map(({ place }) => place.subject))];
  return {
    ...report,
    summary:
      servers.length === 0 ? report.summary : `${servers.join(", ")}: the statement does not hold; ${report.summary}`,
    findings: [...findings, ...noted],
    rules: { ...report.rules, ...STATEMENT_RULES },
  };
}
