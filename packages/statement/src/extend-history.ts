import { sha256Hex } from "@agentprint/canonical-json";
import { readEnvelope } from "./envelope.ts";
import { StatementError } from "./errors.ts";
import { type FollowedKeys, followKeys } from "./key-history.ts";
import { createKeyStatement, type KeyChange, readKeyStatement, signKeyStatement } from "./key-statement.ts";
import type { StatementSigner } from "./keys.ts";
import { isStatementError } from "./rules.ts";

/**
 * Returns a key history with one more statement at its end.
 *
 * @param history The history's text; empty if there is none
 * @throws {@link StatementError} `invalid-key`, `invalid-envelope`, `invalid-statement`, and `invalid-history` if a
 * consumer would reject the history
 */
export function extendHistory(history: string, change: KeyChange, signer: StatementSigner): string {
  const last = linesOf(history).at(-1);
  const previous = last === undefined ? undefined : sha256Hex(readEnvelope(last).payload);
  const line = signKeyStatement(createKeyStatement({ ...change, previous }), signer);
  const text = [...linesOf(history), line].map((each) => `${each.trim()}\n`).join("");
  followOwnKeys(text, signer, change.issued);
  return text;
}

/**
 * Follows the author's own key history, in which the author trusts every key.
 *
 * @throws {@link StatementError} `invalid-envelope`, `invalid-statement`, and `invalid-history` if a consumer would
 * reject the history
 */
export function followOwnKeys(
  history: string,
  { publicKey }: Pick<StatementSigner, "publicKey">,
  now: Date,
): FollowedKeys {
  const keys = linesOf(history).flatMap((line) => {
    const { predicate } = readKeyStatement(readEnvelope(line));
    return "successor" in predicate ? [predicate.key, predicate.successor] : [predicate.key];
  });
  const followed = followKeys(history, { now, keys: [...new Set([...keys, publicKey])] });
  const problem = followed.problems.find(({ rule }) => isStatementError(rule) || rule === "statement/unknown-key");
  if (problem === undefined) return followed;
  const { message, path } = problem;
  throw new StatementError("invalid-history", message, {
    path,
    expected: "statements signed by current keys, each about the next change",
  });
}

function linesOf(history: string): string[] {
  return history.split("\n").filter((line) => line.trim() !== "");
}
