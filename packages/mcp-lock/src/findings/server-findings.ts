import type { DriftReport, ServerDrift } from "../drift/drift.ts";
import type { SessionName } from "../visit/visit-answers.ts";
import { byRule } from "./by-rule.ts";
import { findingOfCollision, findingsOfDrift } from "./drift-findings.ts";
import type { DriftFinding } from "./finding.ts";
import { findingsOfRemark } from "./remark-findings.ts";
import { sessionInWords } from "./session-words.ts";

/**
 * The findings of a check, server by server, and then the tool names that several servers offer: each finding with its
 * rule, level, place and the values before and after.
 *
 * @example
 * ```ts
 * import { checkLock, driftFindings } from "@agentprint/mcp-lock";
 *
 * const [finding] = driftFindings(checkLock(lock, {}));
 * console.log(finding?.rule); // "mcp/could-not-tell"
 * ```
 */
export function driftFindings({ servers, collisions }: Pick<DriftReport, "servers" | "collisions">): DriftFinding[] {
  return [...servers.flatMap(findingsOfServer), ...collisions.map(findingOfCollision)];
}

function findingsOfServer({ server, failure, drifts, remarks }: ServerDrift): DriftFinding[] {
  if (failure !== undefined) {
    const message = `could not tell: ${failure.message}`;
    return [{ ...byRule("mcp/could-not-tell", message), place: { subject: server, server }, couldNotTell: true }];
  }
  return [
    ...drifts.flatMap((drift) => seenIn(findingsOfDrift(server, drift), drift.sessions)),
    ...remarks.flatMap((remark) => findingsOfRemark(server, remark)),
  ];
}

/** Adds to each finding the sessions in which it was seen, unless that was all sessions. */
function seenIn(findings: DriftFinding[], sessions: readonly SessionName[] | undefined): DriftFinding[] {
  if (sessions === undefined) return findings;
  const seen = `Seen ${sessions.map(sessionInWords).join(", and ")}`;
  return findings.map((finding) => ({ ...finding, note: [finding.note, seen].filter((note) => note).join(". ") }));
}
