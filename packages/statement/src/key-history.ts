import { sha256Hex, toPointer } from "@agentprint/canonical-json";
import type { LockedKeys } from "@agentprint/mcp-lock";
import { type ReadEnvelope, readEnvelope, signerOf } from "./envelope.ts";
import { StatementError } from "./errors.ts";
import { problemOf } from "./findings.ts";
import { type KeyFacts, KeyRing } from "./key-ring.ts";
import { type KeyStatement, readKeyStatement } from "./key-statement.ts";
import type { StatementVerifier } from "./keys.ts";
import { isLaterThan, type StatementProblem } from "./prove-statement.ts";
import { isStatementError, type StatementRuleId } from "./rules.ts";

/** The length of the longest history, in bytes of UTF-8, and the maximum number of statements in it. */
export const MAX_HISTORY_BYTES = 1_048_576;
const MAX_KEY_STATEMENTS = 64;

/** An author's keys after all of the author's statements about them. */
export interface FollowedKeys {
  /** The keys that may sign statements about keys and, unless they are in `unaccepted`, about releases. */
  readonly current: readonly StatementVerifier[];
  /** The keys introduced by rotations that no one has accepted. They prove no release. */
  readonly unaccepted: readonly StatementVerifier[];
  /** The keys that may no longer sign, each with the problem of any statement signed with it. */
  readonly former: readonly { readonly key: StatementVerifier; readonly problem: StatementProblem }[];
  readonly problems: readonly StatementProblem[];
  /**
   * The keys that a lock adds once a person accepts the history; absent if none is new, or if a problem is an error.
   */
  readonly news?: Omit<LockedKeys, "server">;
}

/** Returns where the key history is: next to the statement, as `name.keys.jsonl` for `name.json`. */
export function keyHistoryPlace(statement: string): string {
  const [, place = statement, rest = ""] = /^([^?#]*)(.*)$/s.exec(statement) ?? [];
  return `${place.replace(/\.json$/, "")}.keys.jsonl${rest}`;
}

/**
 * Follows the author's statements about keys, a history with one envelope per line, starting from the keys that a user
 * named and from what was accepted before. A rotation or a revocation that no one accepted is a warning, and each
 * invalid statement is a problem.
 *
 * @param history Absent if there is none
 */
export function followKeys(history: string | Uint8Array | undefined, facts: KeyFacts): FollowedKeys {
  const follower = new Follower(facts);
  try {
    follower.followAll(history === undefined ? [] : linesOf(history));
  } catch (error) {
    if (!(error instanceof BrokenHistory)) throw error;
    follower.problems.push(error.problem);
  }
  return follower.result();
}

/** Thrown if a history cannot be trusted from some line on. */
class BrokenHistory extends Error {
  override readonly name = "BrokenHistory";
  readonly problem: StatementProblem;

  constructor(problem: StatementProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

class Follower {
  readonly problems: StatementProblem[] = [];
  readonly #facts: KeyFacts;
  readonly #ring: KeyRing;
  readonly #digests: string[] = [];
  /** How many statements must be remembered: all up to the last valid one. */
  #counted: number;
  #hasNews = false;
  /** The keys whose accepted successors the history proves. */
  readonly #proven = new Set<string>();

  constructor(facts: KeyFacts) {
    this.#facts = facts;
    this.#ring = new KeyRing(facts);
    this.#counted = facts.remembered?.history.length ?? 0;
  }

  followAll(lines: readonly string[]): void {
    for (const [index, line] of lines.entries()) this.#follow(line, index);
    const remembered = this.#facts.remembered?.history.length ?? 0;
    if (lines.length < remembered) {
      const message = `${remembered} statements about keys were accepted before, but only ${lines.length} are here`;
      this.problems.push({ rule: "statement/keys-rolled-back", path: "", message });
      return;
    }
    const unproven = this.#ring.acceptedBefore().find((key) => !this.#proven.has(key));
    if (unproven === undefined) return;
    const message = `the lock has a successor of ${unproven} that the key did not name`;
    this.problems.push({ rule: "statement/keys-forked", path: "", message });
  }

  result(): FollowedKeys {
    const ring = this.#ring;
    const isSound = !this.problems.some(({ rule }) => isStatementError(rule));
    const history = this.#digests.slice(0, this.#counted);
    return {
      current: ring.current(),
      unaccepted: ring.unaccepted(),
      former: ring.former(),
      problems: this.problems,
      ...(isSound && this.#hasNews && { news: { history, ...ring.memory() } }),
    };
  }

  #follow(line: string, index: number): void {
    const envelope = readLine(line, index);
    const digest = sha256Hex(envelope.payload);
    const remembered = this.#facts.remembered?.history[index];
    if (remembered !== undefined && remembered !== digest) {
      throw broken("keys-forked", index, "a different statement about keys was accepted at its place");
    }
    const previous = this.#digests.at(-1);
    this.#digests.push(digest);
    const signed = this.#open(envelope, index);
    if (signed === undefined) return;
    const { statement, signer } = signed;
    if (statement.predicate.previous?.sha256 !== previous) {
      throw broken("keys-forked", index, "the statement about keys does not follow the previous one");
    }
    const problem = this.#take(statement, signer);
    if (problem !== undefined) this.problems.push(at(index, problem));
    if (problem === undefined || !isStatementError(problem.rule)) {
      this.#counted = Math.max(this.#counted, index + 1);
    }
  }

  /** Returns the statement and the key that signed it, or `undefined` if no known key signed it. */
  #open(envelope: ReadEnvelope, index: number): { statement: KeyStatement; signer: string } | undefined {
    try {
      const signer = this.#ring.textOf(signerOf(envelope, this.#ring.known()));
      return { statement: readKeyStatement(envelope), signer };
    } catch (error) {
      if (!(error instanceof StatementError)) throw error;
      const { code, message, path } = error;
      if (code === "invalid-statement") throw broken("unreadable", index, message, path);
      const problem: StatementProblem =
        code === "wrong-key"
          ? { rule: "statement/unknown-key", path, message: "no valid key signed this statement about keys" }
          : { path, message, ...problemOf(error), rule: "statement/invalid-signature" };
      this.problems.push(at(index, problem));
      return undefined;
    }
  }

  /** Applies a statement and returns its problems. */
  #take({ predicate }: KeyStatement, signer: string): StatementProblem | undefined {
    const isRotation = "successor" in predicate;
    if (isRotation ? this.#ring.hasAccepted(predicate) : this.#ring.isOutside(predicate)) {
      if (signer === predicate.key) this.#proven.add(signer);
      return undefined;
    }
    if (isLaterThan(predicate.issued, this.#facts.now)) {
      return about("issued-later", "issued", "the statement about keys is dated in the future", predicate.issued);
    }
    const other = isRotation ? this.#ring.successorOf(predicate.key) : undefined;
    if (isRotation && other !== undefined && other !== predicate.successor && signer === predicate.key) {
      return about(
        "keys-forked",
        "key",
        `the key already has the successor ${other} but names another one`,
        predicate.key,
      );
    }
    const former = this.#ring.former().find(({ key }) => key.publicKey === signer)?.problem;
    if (former !== undefined) return { ...former, path: "/signatures" };
    return isRotation ? this.#rotate(predicate, signer) : this.#revoke(predicate);
  }

  #rotate({ key, successor, expires }: RotationPredicate, signer: string): StatementProblem | undefined {
    if (signer !== key) return about("wrong-key", "key", "a key other than the replaced one signed", key);
    if (this.#ring.isFormer(successor) || successor === key) {
      return about("key-cycle", "successor", "a key that was replaced or revoked cannot come back", successor);
    }
    const isNamed = this.#facts.keys.includes(successor);
    if (!isNamed && Date.parse(expires) <= this.#facts.now.getTime()) {
      return about("expired", "expires", "the rotation has expired, and no one accepted it before", expires);
    }
    this.#hasNews = true;
    this.#ring.rotate(key, successor, isNamed);
    return isNamed
      ? undefined
      : about("key-rotated", "successor", `${key} says that ${successor} replaces it`, successor);
  }

  #revoke({ key, since }: { readonly key: string; readonly since: string }): StatementProblem {
    this.#hasNews = true;
    this.#ring.revoke(key, since);
    return about("revocation-new", "key", `${key} has been revoked since ${since}`, key);
  }
}

type RotationPredicate = Extract<KeyStatement["predicate"], { readonly successor: string }>;
type NameOf<Id> = Id extends `statement/${infer Name}` ? Name : never;
type RuleName = NameOf<StatementRuleId>;

function about(name: RuleName, member: string, message: string, stated: string): StatementProblem {
  return { rule: `statement/${name}`, path: toPointer(["predicate", member]), message, stated };
}

/** Returns a problem at its statement's line. */
function at(index: number, problem: StatementProblem): StatementProblem {
  return { ...problem, path: `/${index}${problem.path}` };
}

function broken(name: RuleName, index: number, message: string, path = ""): BrokenHistory {
  return new BrokenHistory(at(index, { rule: `statement/${name}`, path, message }));
}

function linesOf(history: string | Uint8Array): string[] {
  const bytes = typeof history === "string" ? new TextEncoder().encode(history) : history;
  const text = typeof history === "string" ? history : new TextDecoder().decode(history);
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (bytes.length <= MAX_HISTORY_BYTES && lines.length <= MAX_KEY_STATEMENTS) return lines;
  const message = `a history of keys has at most ${MAX_KEY_STATEMENTS} statements, and 1 MiB`;
  throw new BrokenHistory({ rule: "statement/unreadable", path: "", message });
}

function readLine(line: string, index: number): ReadEnvelope {
  try {
    return readEnvelope(line);
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    throw broken("unreadable", index, error.message, error.path);
  }
}
