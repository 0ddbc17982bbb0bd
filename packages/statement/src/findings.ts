import { type Finding, findingKinds } from "@agentprint/findings";
import type { StatementError } from "./errors.ts";
import type { StatementProblem } from "./prove-statement.ts";
import { STATEMENT_RULES, type StatementRuleId } from "./rules.ts";

const byRule = findingKinds(STATEMENT_RULES);

/** The codes of errors that become findings about a statement, because it could be read but is not valid. */
const AS_FINDING: Partial<Record<StatementError["code"], StatementRuleId>> = {
  "wrong-key": "statement/wrong-key",
  "invalid-signature": "statement/invalid-signature",
  "wrong-identity": "statement/wrong-identity",
  "untrusted-certificate": "statement/untrusted-certificate",
  "not-logged": "statement/not-logged",
};

/**
 * Returns the findings about a statement on a server.
 *
 * @param server The server's name in the lock
 * @param file The statement's file
 */
export function statementFindings(
  problems: readonly StatementProblem[],
  server: string,
  file: string,
): Finding<StatementRuleId>[] {
  return problems.map(({ rule, path, message, stated, found }) => ({
    ...byRule(rule, message),
    place: { subject: server, server, pointer: path, location: { file } },
    ...(stated !== undefined && { before: stated }),
    ...(found !== undefined && { after: found }),
  }));
}

/** Returns the problem for an error from opening a statement; `undefined` if the statement cannot be read. */
export function problemOf({ code, message, path }: StatementError): StatementProblem | undefined {
  const rule = AS_FINDING[code];
  return rule && { rule, path, message };
}
