import type { Finding } from "@agentprint/findings";
import type { LockedKeys, LockedServer, LockedStatement } from "@agentprint/mcp-lock";
import { fromBase64, isBase64 } from "./base64.ts";
import { StatementError } from "./errors.ts";
import { statementFindings } from "./findings.ts";
import { type FollowedKeys, followKeys, keyHistoryPlace } from "./key-history.ts";
import { lockedStatement, type ProvenStatement, patchObstacle, proveByHistory, proveOpened } from "./prove-envelope.ts";
import type { StatementFacts, StatementProblem } from "./prove-statement.ts";
import type { StatementReference } from "./registry-meta.ts";
import type { StatementRuleId } from "./rules.ts";
import type { OpenedStatement } from "./statement.ts";

/** An author's texts, if they could be read. */
export interface AuthorTexts {
  /** The statement's path or address. */
  readonly place: string;
  readonly statement: Uint8Array;
  /** The key history next to it; absent if there is none, or a string with the reason if it cannot be read. */
  readonly history?: Uint8Array | string | undefined;
  /** Opens a statement that no key signed, instead of the keys and their history. */
  readonly open?: (() => OpenedStatement) | undefined;
  /**
   * Whether the place was not configured. A statement found there that no valid key signed then proves nothing and is
   * not an error.
   */
  readonly isFound: boolean;
  /** The reference to the statement in a `server.json`; absent if none names it. */
  readonly reference?: StatementReference | undefined;
}

/** A user's requirements for the statements about a server. */
export interface AuthorDemands {
  readonly keys: readonly string[];
  readonly required?: boolean | undefined;
  readonly accept?: "patch" | undefined;
}

/** The facts about a server, and what a lock remembers about authors. */
export interface AuthorFacts {
  readonly now: Date;
  readonly served: LockedServer;
  readonly locked?: LockedServer | undefined;
  readonly statements: readonly LockedStatement[];
  readonly authorKeys: readonly LockedKeys[];
}

/** The news about an author's keys. */
export interface NewKeys {
  readonly learned: LockedKeys;
  /** Whether a new key, which no one has accepted, is to sign for the author. */
  readonly isRotated: boolean;
}

/** The findings about the statement on one server, and what a proven statement is used for. */
export interface ProvenAuthor {
  readonly findings: readonly Finding<StatementRuleId>[];
  /** The part of the statement that a lock keeps, if the statement is valid. */
  readonly held?: LockedStatement;
  readonly keys?: NewKeys;
  /** Whether the author's statement accepts the change without a person. */
  readonly isPatch: boolean;
  /** Why it does not, if the policy accepts patches and the statement is valid without any finding. */
  readonly obstacle?: string;
}

/**
 * Verifies an author's statement and the key history next to it against what is served and against what was pinned and
 * remembered.
 */
export function proveAuthor(texts: AuthorTexts, demands: AuthorDemands, facts: AuthorFacts): ProvenAuthor {
  const { place, history, isFound, reference } = texts;
  const { name } = facts.served;
  const beside = keyHistoryPlace(place);
  if (typeof history === "string") return onlyFindings(statementFindings([unreadable(history)], name, beside));
  const known = factsOf(facts);
  const proof = proveOrError({ ...texts, history }, demands, facts, known);
  const stranger = isFound ? strangerIn(proof) : undefined;
  const followed = "rule" in proof ? undefined : proof.followed;
  const ofKeys = statementFindings(followed?.problems ?? [], name, beside);
  const isRotated = followed?.problems.some(({ rule }) => rule === "statement/key-rotated") ?? false;
  const keys = followed?.news && { keys: { learned: { server: name, ...followed.news }, isRotated } };
  if (stranger !== undefined) {
    const missing = noStatement(name, place, "the one found there is not signed by an authorized signer", demands);
    const findings = [...statementFindings([stranger], name, place), ...missing.findings];
    // A history belongs to the author if a valid key signed a rotation in it, regardless of who signed the statement.
    return isRotated ? { findings: [...ofKeys, ...findings], ...keys, isPatch: false } : onlyFindings(findings);
  }
  if ("rule" in proof) return onlyFindings(statementFindings([proof], name, place));
  const { proven } = proof;
  const findings = [
    ...ofKeys,
    ...statementFindings(proven.problems, name, place),
    ...statementFindings(referenceProblems(reference, proven, known), name, place),
  ];
  const holds = findings.every(({ level }) => level !== "error");
  const isAsked = demands.accept === "patch" && findings.length === 0;
  const obstacle = isAsked ? patchObstacle(proven, known) : undefined;
  return {
    findings,
    ...(proven.opened && holds && { held: lockedStatement(name, proven.opened) }),
    ...keys,
    isPatch: isAsked && obstacle === undefined,
    ...(obstacle !== undefined && { obstacle }),
  };
}

/**
 * Returns the finding about a server without a statement: an error if a statement is required, otherwise a note.
 *
 * @param place Where the statement should be
 */
export function noStatement(
  server: string,
  place: string,
  reason: string,
  { required }: Pick<AuthorDemands, "required">,
): ProvenAuthor {
  const message = `there is no statement: ${reason}`;
  const findings = statementFindings([{ rule: "statement/missing", path: "", message }], server, place);
  return onlyFindings(required ? findings : findings.map((finding) => ({ ...finding, level: "note" })));
}

function onlyFindings(findings: readonly Finding<StatementRuleId>[]): ProvenAuthor {
  return { findings, isPatch: false };
}

type Proof = { readonly followed?: FollowedKeys; readonly proven: ProvenStatement } | StatementProblem;

/** The texts, if the history can be read. */
interface Texts extends Pick<AuthorTexts, "statement" | "open"> {
  readonly history: Uint8Array | undefined;
}

/** Returns the proven keys and statement, or the reason why one of them cannot be read. */
function proveOrError(
  { statement, history, open }: Texts,
  { keys }: AuthorDemands,
  { authorKeys }: AuthorFacts,
  facts: StatementFacts,
): Proof {
  const remembered = authorKeys.find(({ server }) => server === facts.served.name);
  const revoked = authorKeys.flatMap((each) => each.revoked);
  try {
    if (open !== undefined) return { proven: proveOpened(open, facts) };
    const followed = followKeys(history, { now: facts.now, keys, revoked, ...(remembered && { remembered }) });
    return { followed, proven: proveByHistory(statement, followed, facts) };
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    return unreadable(error.message, error.path);
  }
}

/** Returns the problems with a `server.json`, which must name the existing statement and the served tools. */
function referenceProblems(
  reference: StatementReference | undefined,
  { opened }: ProvenStatement,
  { served }: StatementFacts,
): StatementProblem[] {
  if (reference === undefined || opened === undefined) return [];
  const rule = "statement/wrong-subject";
  const { sha256, tdh1 } = reference;
  if (opened.digest !== sha256) {
    return [{ rule, path: "", message: "server.json names another statement", stated: sha256, found: opened.digest }];
  }
  const missed = served.setHashes.find(({ tools }) => !tdh1.includes(tools));
  if (missed === undefined) return [];
  return [{ rule, path: "", message: "server.json names other tools", stated: [...tdh1], found: missed.tools }];
}

function unreadable(message: string, path = ""): StatementProblem {
  return { rule: "statement/unreadable", path, message };
}

/** The rules about a statement that no trusted signer signed. */
const STRANGERS: readonly StatementRuleId[] = [
  "statement/wrong-key",
  "statement/wrong-identity",
  "statement/untrusted-certificate",
  "statement/not-logged",
];

/** Returns the problem with a text that no authorized signer signed. */
function strangerIn(proof: Proof): StatementProblem | undefined {
  const problem = "rule" in proof ? proof : proof.proven.problems.find(({ rule }) => STRANGERS.includes(rule));
  return problem && { ...problem, rule: "statement/unknown-key" };
}

/**
 * Returns the facts with which a statement is compared. Its verdict is verified only if every pinned session was
 * visited.
 */
function factsOf({ now, served, locked, statements }: AuthorFacts): StatementFacts {
  const visited = new Set(served.sessions.map(({ session }) => session));
  const isWhole = locked?.sessions.every(({ session }) => visited.has(session));
  const last = statements.find(({ server }) => server === served.name);
  const digests = packageDigests(served);
  return {
    now,
    served,
    ...(locked && isWhole && { locked }),
    ...(last && { accepted: { ...last, digest: last.sha256 } }),
    ...(digests && { digests }),
  };
}

/**
 * Returns the digests, in hex, of the only package in a launch, or `undefined` if there is none or more than one. A
 * Python release has several files.
 */
function packageDigests({ artifacts = [] }: LockedServer): StatementFacts["digests"] | undefined {
  const [artifact, ...others] = artifacts;
  if (others.length > 0) return undefined;
  if (artifact?.kind === "pypi")
    return { sha256: Object.values(artifact.files ?? {}).map((digest) => digest.slice(7)) };
  if (artifact?.integrity === undefined) return undefined;
  const tokens = artifact.integrity.split(/\s+/).map((token) => /^(sha256|sha512)([-:])(.+)$/.exec(token) ?? []);
  return Object.fromEntries(
    tokens.flatMap(([, algorithm, mark, value]) => {
      if (algorithm === undefined || value === undefined) return [];
      return [[algorithm, mark === ":" ? value : hexOf(value)]];
    }),
  );
}

/** Returns a Base64 digest in hex, or if it is not Base64 an empty string, which no digest equals. */
function hexOf(base64: string): string {
  if (!isBase64(base64)) return "";
  return Array.from(fromBase64(base64), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
