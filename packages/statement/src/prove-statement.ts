import { type JsonValue, toPointer } from "@agentprint/canonical-json";
import type { LockedServer } from "@agentprint/mcp-lock";
import { judgeRelease, judgeVersion, RELEASE_LEVELS, ReleaseError } from "@agentprint/release";
import { differences, differentSets } from "./compare-definitions.ts";
import { statedDefinitions } from "./create-statement.ts";
import type { StatementRuleId } from "./rules.ts";
import {
  type AcceptedStatement,
  type OpenedStatement,
  SET_HASH,
  type Statement,
  type StatementPredicate,
} from "./statement.ts";

/** Facts about a server that are known without the statement. */
export interface StatementFacts {
  readonly now: Date;
  /** The server as it answers now. */
  readonly served: LockedServer;
  /** The previously accepted server; absent before it is pinned. */
  readonly locked?: LockedServer;
  /** The previously accepted statement; absent for the first. */
  readonly accepted?: AcceptedStatement;
  /** The digests of the actual package, or of each file in its release, by algorithm, in lowercase hex. */
  readonly digests?: Readonly<Record<string, string | readonly string[]>>;
}

/** A problem with a part of a statement that the facts refute or do not support. */
export interface StatementProblem {
  readonly rule: StatementRuleId;
  /** RFC 6901 JSON Pointer of the part within the statement. */
  readonly path: string;
  readonly message: string;
  /** The value in the statement. */
  readonly stated?: JsonValue;
  /** The true value. */
  readonly found?: JsonValue;
}

type WithoutDomain<Id> = Id extends `statement/${infer Name}` ? Name : never;

/** How far an author's clock may be ahead, in milliseconds. */
const MAX_SKEW = 5 * 60_000;

/**
 * Verifies a statement: its times, that it follows the accepted statement, its subjects, its hashes against the
 * server's answers, and its verdict and renames against what was pinned. Returns a problem for each part that does not
 * hold.
 *
 * @example
 * ```ts
 * import { createStatement, proveStatement } from "@agentprint/statement";
 *
 * const [issued, now, expires] = [new Date("2026-01-31"), new Date("2026-02-01"), new Date("2027-01-31")];
 * const statement = createStatement({ entry: before, version: "1.2.0", issued, expires });
 * const problems = proveStatement({ statement, digest: "", keyId: "" }, { now, served: after });
 * console.log(problems.map(({ rule }) => rule)); // ["statement/wrong-subject", "statement/definitions-differ"]
 * ```
 */
export function proveStatement(opened: OpenedStatement, facts: StatementFacts): StatementProblem[] {
  const { statement } = opened;
  return [
    ...timeProblems(statement.predicate, facts.now),
    ...(facts.accepted === undefined ? [] : orderProblems(opened, facts.accepted)),
    ...subjectProblems(statement, facts),
    ...definitionProblems(statement.predicate, facts.served),
    ...aliasProblems(statement.predicate, facts.served),
    ...(facts.locked === undefined ? [] : verdictProblems(statement.predicate, facts.served, facts.locked)),
  ];
}

function timeProblems({ issued, expires }: StatementPredicate, now: Date): StatementProblem[] {
  const at = now.toISOString();
  if (isLaterThan(issued, now)) {
    return [problem("issued-later", ["issued"], "the statement is dated in the future", { stated: issued, found: at })];
  }
  if (Date.parse(expires) > now.getTime()) return [];
  return [problem("expired", ["expires"], "the statement has expired", { stated: expires, found: at })];
}

/** Returns whether a time is later than now by more than the allowed clock difference. */
export function isLaterThan(issued: string, now: Date): boolean {
  return Date.parse(issued) > now.getTime() + MAX_SKEW;
}

/** Returns the part of an accepted statement that a consumer stores. */
export function acceptedOf({ statement, digest }: OpenedStatement): AcceptedStatement {
  const { server, definitions, issued } = statement.predicate;
  return { digest, version: server.version, issued, sets: definitions.sets };
}

/** Returns the problems with a statement compared with the previously accepted one. */
function orderProblems({ statement, digest }: OpenedStatement, accepted: AcceptedStatement): StatementProblem[] {
  if (digest === accepted.digest) return [];
  const { issued, server, definitions } = statement.predicate;
  if (issued <= accepted.issued) {
    const values = { stated: issued, found: accepted.issued };
    return [problem("replayed", ["issued"], "a newer statement was accepted before", values)];
  }
  const { version } = server;
  const values = { stated: version, found: accepted.version };
  if (!isLater(accepted.version, version)) {
    return [problem("rolled-back", ["server", "version"], "a newer version was accepted before", values)];
  }
  if (version === accepted.version && differentSets(accepted.sets, definitions.sets, definitions.sessions)) {
    return [problem("republished", ["definitions"], `${version} had other definitions`, {})];
  }
  return linkProblems(statement.predicate, accepted);
}

/** Returns the problems with a statement's claims about the accepted statement. */
function linkProblems({ verdict, definitions }: StatementPredicate, accepted: AcceptedStatement): StatementProblem[] {
  if (verdict?.against.version !== accepted.version) return [];
  const path = ["verdict", "against"];
  if (differentSets(verdict.against.sets, accepted.sets, definitions.sessions)) {
    return [problem("lying-verdict", [...path, "sets"], `${accepted.version} had other definitions`, {})];
  }
  const stated = verdict.against.statement?.sha256;
  if (stated === accepted.digest) return [];
  const values = { ...(stated !== undefined && { stated }), found: accepted.digest };
  return [problem("unlinked", [...path, "statement"], "the statement follows another one of that version", values)];
}

/** Returns whether a version is not before another. A version in an unknown form equals only itself. */
function isLater(before: string, version: string): boolean {
  try {
    return judgeVersion(before, version, "none").isEnough;
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    return before === version;
  }
}

/**
 * Returns the problems with a statement's subjects. They must match every digest whose algorithm they use, and every
 * tool hash.
 */
function subjectProblems({ subject }: Statement, { served, digests = {} }: StatementFacts): StatementProblem[] {
  const known = [
    ...served.setHashes.map(({ tools }) => [SET_HASH, tools] as const),
    ...Object.entries(digests)
      .filter(([algorithm]) => subject.some(({ digest }) => Object.hasOwn(digest, algorithm)))
      .flatMap(([algorithm, values]) => [values].flat().map((value) => [algorithm, value] as const)),
  ];
  const missed = known.find(([algorithm, value]) => !subject.some(({ digest }) => digest[algorithm] === value));
  if (missed === undefined) return [];
  const [algorithm, value] = missed;
  const message = "the statement is about something else";
  return [{ rule: "statement/wrong-subject", path: "/subject", message, found: { [algorithm]: value } }];
}

function definitionProblems({ definitions }: StatementPredicate, served: LockedServer): StatementProblem[] {
  const different = differences(definitions, statedDefinitions(served));
  if (different.length === 0) return [];
  const as = definitions.client === served.client ? "" : `, visited as ${served.client} and not ${definitions.client}`;
  const message = `the server differs from the statement${as}: ${different.join(", ")}`;
  return [problem("definitions-differ", ["definitions"], message, {})];
}

/** Returns the problems with aliases. The new name must belong to a tool or lead to one, and the old name must not. */
function aliasProblems({ aliases = {} }: StatementPredicate, { tools }: LockedServer): StatementProblem[] {
  const names = new Set(tools.map(({ definition }) => definition["name"]));
  return Object.entries(aliases)
    .filter(([old, name]) => names.has(old) || !(names.has(name) || Object.hasOwn(aliases, name)))
    .map(([old, name]) =>
      problem("lying-alias", ["aliases", old], `${old} was not renamed to ${name}`, { stated: name }),
    );
}

function verdictProblems(
  { verdict, aliases = {} }: StatementPredicate,
  served: LockedServer,
  locked: LockedServer,
): StatementProblem[] {
  const { level } = judgeRelease(locked, served, new Map(Object.entries(aliases)));
  if (level === "none") return [];
  if (verdict === undefined || differentSets(verdict.against.sets, locked.setHashes, locked.sessions)) {
    const stated = verdict?.against.version;
    const message = "the verdict is against a release other than the pinned one";
    return [problem("unproven-verdict", ["verdict"], message, stated === undefined ? {} : { stated })];
  }
  if (RELEASE_LEVELS.indexOf(level) <= RELEASE_LEVELS.indexOf(verdict.level)) return [];
  const message = `the change from ${verdict.against.version} is larger than the statement says`;
  return [problem("lying-verdict", ["verdict", "level"], message, { stated: verdict.level, found: level })];
}

function problem(
  rule: WithoutDomain<StatementRuleId>,
  path: readonly string[],
  message: string,
  values: Pick<StatementProblem, "stated" | "found">,
): StatementProblem {
  return { rule: `statement/${rule}`, path: toPointer(["predicate", ...path]), message, ...values };
}
