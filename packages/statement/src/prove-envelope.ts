import type { LockedServer, LockedStatement } from "@agentprint/mcp-lock";
import { judgeRelease } from "@agentprint/release";
import { StatementError } from "./errors.ts";
import { problemOf } from "./findings.ts";
import type { FollowedKeys } from "./key-history.ts";
import type { StatementVerifier } from "./keys.ts";
import { openStatement } from "./open-statement.ts";
import { acceptedOf, proveStatement, type StatementFacts, type StatementProblem } from "./prove-statement.ts";
import { hasSameSurroundings, hasSameWords } from "./same-words.ts";
import type { AcceptedStatement, OpenedStatement } from "./statement.ts";

/** A statement that was opened and proven as far as possible. */
export interface ProvenStatement {
  /** Absent if the statement could not be opened. */
  readonly opened?: OpenedStatement;
  readonly problems: readonly StatementProblem[];
}

/** The part of an author's keys that decides about a release statement. */
export type ProvingKeys = Pick<FollowedKeys, "current" | "former" | "unaccepted">;

/**
 * Opens a statement and proves it. An invalid signature is a problem.
 *
 * @param envelope The envelope's text, at most 16 MiB
 * @param keys The keys that may sign for the server
 * @param facts Omit to check only the signature
 * @throws {@link StatementError} `invalid-envelope`, `invalid-statement` if the text is not a statement
 */
export function proveEnvelope(
  envelope: string | Uint8Array,
  keys: readonly StatementVerifier[],
  facts?: StatementFacts,
): ProvenStatement {
  return proveOpened(() => openStatement(envelope, keys), facts);
}

/**
 * Proves a statement that the given function opens. A signature that does not count is a problem.
 *
 * @param facts Omit to check only the signature
 * @throws {@link StatementError} the errors of `open` if the text is not a statement
 */
export function proveOpened(open: () => OpenedStatement, facts?: StatementFacts): ProvenStatement {
  try {
    const opened = open();
    return { opened, problems: facts === undefined ? [] : proveStatement(opened, facts) };
  } catch (error) {
    const problem = error instanceof StatementError ? problemOf(error) : undefined;
    if (problem === undefined) throw error;
    return { problems: [problem] };
  }
}

/**
 * Opens a statement with the keys of an author who may have replaced or revoked some. A signature by a former key is a
 * problem, unless the key was replaced and the statement was accepted before. A successor that no one accepted counts
 * as an unknown key.
 *
 * @param accepted The previously accepted statement; absent for the first
 * @throws {@link StatementError} `invalid-envelope`, `invalid-statement` if the text is not a statement
 */
export function openByHistory(
  envelope: string | Uint8Array,
  { current, former, unaccepted }: ProvingKeys,
  accepted?: Pick<AcceptedStatement, "digest">,
): ProvenStatement {
  const proposed = new Set(unaccepted.map(({ keyId }) => keyId));
  const isAccepted = ({ keyId }: StatementVerifier) => !proposed.has(keyId);
  const proven = proveEnvelope(envelope, current.filter(isAccepted));
  if (proven.opened) return proven;
  const keys = former.map(({ key }) => key).filter(isAccepted);
  const { opened } = proveEnvelope(envelope, keys);
  const signer = former.find(({ key }) => key.keyId === opened?.keyId);
  if (opened === undefined || signer === undefined) return { problems: explain(envelope, unaccepted, proven.problems) };
  const isKept = signer.problem.rule === "statement/key-succeeded" && opened.digest === accepted?.digest;
  return { opened, problems: isKept ? [] : [signer.problem] };
}

/** If no valid key made a signature, reports whether a successor made it. */
function explain(
  envelope: string | Uint8Array,
  unaccepted: readonly StatementVerifier[],
  problems: readonly StatementProblem[],
): readonly StatementProblem[] {
  const { opened } = proveEnvelope(envelope, unaccepted);
  const signer = unaccepted.find(({ keyId }) => keyId === opened?.keyId);
  if (signer === undefined) return problems;
  const message = `${signer.publicKey} signed, which replaces a key of the author only once a person has accepted it`;
  return problems.map((problem) => ({ ...problem, message }));
}

/**
 * Opens a statement as {@link openByHistory} does, and proves it.
 *
 * @throws {@link StatementError} `invalid-envelope`, `invalid-statement` if the text is not a statement
 */
export function proveByHistory(
  envelope: string | Uint8Array,
  followed: ProvingKeys,
  facts: StatementFacts,
): ProvenStatement {
  const { opened, problems } = openByHistory(envelope, followed, facts.accepted);
  return opened === undefined ? { problems } : { opened, problems: [...problems, ...proveStatement(opened, facts)] };
}

/**
 * Returns why a person must review the server's change despite the author's statement; `undefined` for a proven patch
 * in the same words.
 *
 * @param facts Must contain the pinned server, without which a person must review the change
 */
export function patchObstacle(
  { opened, problems }: ProvenStatement,
  { served, locked }: StatementFacts,
): string | undefined {
  if (problems.length > 0) return "the statement is not valid";
  if (locked === undefined) return "the server is not pinned, or not every pinned session was visited";
  if (opened?.statement.predicate.verdict === undefined) return "the statement has no verdict on a change";
  if (!hasSameSurroundings(locked, served))
    return "its launch, files, packages, login, client or sessions differ from the pinned ones";
  if (!hasSameWords(locked, served)) return "a model would read something new";
  return judgeRelease(locked, served).level === "patch" ? undefined : "it is not proven that calls stay the same";
}

/** Returns the part of a statement that a lock keeps. */
export function lockedStatement(server: LockedServer["name"], opened: OpenedStatement): LockedStatement {
  const { digest: sha256, ...rest } = acceptedOf(opened);
  return { server, sha256, ...rest } as LockedStatement;
}
