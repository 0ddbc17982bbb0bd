import type { Finding } from "@agentprint/findings";
import type { LockedKeys } from "@agentprint/mcp-lock";
import { statementFindings } from "./findings.ts";
import type { StatementRuleId } from "./rules.ts";

/**
 * Returns a finding for each server if a lock remembers less about its keys than before.
 *
 * @param file The lock's path
 */
export function forgottenKeys(
  before: readonly LockedKeys[] | undefined,
  after: readonly LockedKeys[] | undefined,
  file: string,
): Finding<StatementRuleId>[] {
  const byServer = new Map(after?.map((each) => [each.server, each]));
  return (before ?? []).flatMap((was) => {
    const lost = lostParts(was, byServer.get(was.server));
    if (lost.length === 0) return [];
    const message = `the lock no longer remembers: ${lost.join(", ")}`;
    return statementFindings([{ rule: "statement/keys-forgotten", path: "/authorKeys", message }], was.server, file);
  });
}

function lostParts(was: LockedKeys, is: LockedKeys | undefined): string[] {
  const revoked = new Set(is?.revoked.map(({ key }) => key));
  const successors = new Map(is?.successors.map(({ key, successor }) => [key, successor]));
  const isWhole = was.history.every((digest, index) => digest === is?.history[index]);
  return [
    ...was.revoked.filter(({ key }) => !revoked.has(key)).map(({ key, since }) => `${key} (revoked since ${since})`),
    ...was.successors
      .filter(({ key, successor }) => successors.get(key) !== successor)
      .map(({ key, successor }) => `${successor} replaces ${key}`),
    ...(isWhole ? [] : ["the author's statements about keys"]),
  ];
}
