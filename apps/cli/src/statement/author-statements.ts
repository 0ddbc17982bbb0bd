import { dirname, join } from "node:path";
import type { Finding, Report } from "@agentprint/findings";
import {
  type LockedServer,
  type LockedStatement,
  type LockFile,
  lockServer,
  McpLockError,
  withKnownFiles,
} from "@agentprint/mcp-lock";
import type { Policy, SigstoreRule, StatementRule } from "@agentprint/policy";
import { PATCH_RULES } from "@agentprint/release";
import {
  createVerifier,
  isProvenPatch,
  lockedStatement,
  MAX_STATEMENT_BYTES,
  type OpenedStatement,
  type ProvenStatement,
  proveEnvelope,
  proveOpened,
  STATEMENT_RULES,
  StatementError,
  type StatementFacts,
  type StatementRuleId,
  statementFindings,
} from "@agentprint/statement";
import type { Context } from "../context.ts";
import { reasonOf } from "../errors.ts";
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
  /** Whether a finding is about a change that the author may state without a person. */
  readonly isAccepted: (finding: Pick<Finding, "rule" | "place">) => boolean;
}

/** The policy and the lock that the statements of a run are compared with. */
export interface Surroundings {
  readonly policy: Policy;
  /** The path of the lock, from whose folder the places of statements go. */
  readonly file: string;
  /** The lock whose accepted statements count. */
  readonly lock: LockFile;
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
  const { statements = {} } = surroundings.policy;
  const all = await Promise.all(
    servers.flatMap((server) => {
      const { name } = server.served;
      const rule = Object.hasOwn(statements, name) ? statements[name] : undefined;
      return rule === undefined ? [] : [proveAuthor(context, server, rule, surroundings)];
    }),
  );
  const accepted = new Set(all.flatMap(({ patch }) => patch ?? []));
  return {
    findings: all.flatMap(({ findings }) => findings),
    held: all.flatMap(({ held }) => held ?? []),
    isAccepted: ({ rule, place }) => PATCH_RULES.includes(rule) && accepted.has(place.server ?? ""),
  };
}

/** The findings on the statement of one server, and the use of a proven one. */
interface ProvenAuthor {
  readonly findings: readonly Finding<StatementRuleId>[];
  readonly held?: LockedStatement;
  /** The name of the server, where its author may state the change without a person. */
  readonly patch?: string;
}

async function proveAuthor(
  context: Context,
  { served, locked }: VisitedServer,
  { from, keys, sigstore, required, accept }: StatementRule,
  { file, lock }: Surroundings,
): Promise<ProvenAuthor> {
  const { name } = served;
  const text = await readStatement(context, from, file).catch((error: unknown) => reasonOf(error));
  if (typeof text === "string") {
    const message = `there is no statement: ${text}`;
    const findings = statementFindings([{ rule: "statement/missing", path: "", message }], name, from);
    return { findings: required ? findings : findings.map((finding) => ({ ...finding, level: "note" })) };
  }
  const facts = factsOf({ served, locked }, lock);
  const open = sigstore && (await openerOf(context, text, sigstore, file));
  const proven = proveOrError(open ?? text, keys, facts);
  if (proven instanceof StatementError) {
    const { message, path } = proven;
    return { findings: statementFindings([{ rule: "statement/unreadable", path, message }], name, from) };
  }
  const findings = statementFindings(proven.problems, name, from);
  const holds = findings.every(({ level }) => level !== "error");
  const isPatch = accept === "patch" && isProvenPatch(proven, facts);
  return {
    findings,
    ...(proven.opened && holds && { held: lockedStatement(name, proven.opened) }),
    ...(isPatch && { patch: name }),
  };
}

/** The statement as far as it is proven, or the reason why it cannot be read. */
function proveOrError(
  text: Uint8Array | (() => OpenedStatement),
  keys: readonly string[],
  facts: StatementFacts,
): ProvenStatement | StatementError {
  try {
    if (typeof text === "function") return proveOpened(text, facts);
    return proveEnvelope(text, keys.map(createVerifier), facts);
  } catch (error) {
    if (error instanceof StatementError) return error;
    throw error;
  }
}

/** Returns what opens a bundle of Sigstore; `undefined` where the text is none. */
async function openerOf(
  context: Context,
  text: Uint8Array,
  rule: SigstoreRule,
  lock: string,
): Promise<(() => OpenedStatement) | undefined> {
  const { keylessOpener } = await import("./read-statement.ts");
  return keylessOpener(context, text, rule, lock);
}

async function readStatement(context: Context, from: string, lock: string): Promise<Uint8Array> {
  if (/^https?:/.test(from)) return new TextEncoder().encode(await readAddress(context, from));
  return await readRegularFile(context, join(dirname(lock), from), MAX_STATEMENT_BYTES);
}

/** A verdict is proven only where every pinned session was visited. */
function factsOf({ served, locked }: VisitedServer, { statements = [] }: LockFile): StatementFacts {
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
