import { type LockedKeys, type LockedStatement, withAuthorKeys } from "@agentprint/mcp-lock";
import type { Context } from "../run/context.ts";
import type { ProvenAuthors, Surroundings } from "../statement/author-statements.ts";
import type { Candidate } from "./candidate.ts";

/** Authors' statements, as a report on some servers shows them. */
export interface ShownAuthors {
  readonly isAccepted?: ProvenAuthors["isAccepted"];
  readonly held: ProvenAuthors["held"];
  /** The same, and the statements that hold once all key updates are accepted. */
  readonly heldByAllKeys: ProvenAuthors["held"];
  /** All key updates, and those that may be written without a review. */
  readonly allKeys: readonly LockedKeys[];
  readonly safeKeys: readonly LockedKeys[];
  readonly isRotated: boolean;
  /**
   * Whether a person must review an author's statement: a different key, or a new statement that is valid with a
   * warning.
   */
  readonly hasNews: (candidate: Candidate) => boolean;
  /** Returns the statements about some of the servers; `undefined` if the policy names no statement. */
  readonly about: (names: readonly string[]) => ProvenAuthors | undefined;
}

/** Verifies the authors' statements about the servers to approve. */
export async function authorsOf(
  context: Context,
  candidates: readonly Candidate[],
  surroundings: Surroundings,
): Promise<ShownAuthors> {
  if (surroundings.policy.statements === undefined) return NOBODY;
  const { proveAuthors, withoutRotations } = await import("../statement/author-statements.ts");
  const servers = candidates.map(({ before, after }) => ({ served: after, locked: before }));
  const proven = await proveAuthors(context, servers, surroundings);
  const findingsOn = (names: readonly string[]) =>
    proven.findings.filter(({ place }) => names.includes(place.server ?? ""));
  const allKeys = proven.keys.map(({ learned }) => learned);
  const isRotated = proven.keys.some((each) => each.isRotated);
  const lock = withAuthorKeys(surroundings.lock, allKeys);
  const accepted = isRotated ? await proveAuthors(context, servers, { ...surroundings, lock }) : proven;
  const warned = newStatements(proven.held, surroundings.lock.statements).filter(({ server }) =>
    findingsOn([server]).some(({ level }) => level === "warning"),
  );
  const withNews = new Set([...allKeys, ...warned].map(({ server }) => server));
  return {
    ...proven,
    heldByAllKeys: [...new Map([...accepted.held, ...proven.held].map((each) => [each.server, each])).values()],
    allKeys,
    safeKeys: withoutRotations(proven.keys),
    isRotated,
    hasNews: ({ before: { name } }) => withNews.has(name),
    about: (names) => ({ ...proven, findings: findingsOn(names) }),
  };
}

const NOBODY: ShownAuthors = {
  held: [],
  heldByAllKeys: [],
  allKeys: [],
  safeKeys: [],
  isRotated: false,
  hasNews: () => false,
  about: () => undefined,
};

/** Returns the statements that a lock lacks. */
function newStatements(
  held: readonly LockedStatement[],
  locked: readonly LockedStatement[] = [],
): readonly LockedStatement[] {
  const known = new Set(locked.map(({ sha256 }) => sha256));
  return held.filter(({ sha256 }) => !known.has(sha256));
}
