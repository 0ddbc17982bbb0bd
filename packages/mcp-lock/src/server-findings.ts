import type { ServerDrift } from "./drift.ts";
import { type DriftFinding, driftFindings } from "./drift-findings.ts";
import { remarkFindings } from "./remark-findings.ts";
import { sessionInWords } from "./session-words.ts";
import type { SessionName } from "./visit-answers.ts";

/** The findings about one server. */
export function serverFindings({ server, failure, drifts, remarks }: ServerDrift): DriftFinding[] {
  if (failure !== undefined) {
    const message = `could not tell: ${failure.message}`;
    return [{ ruleId: "could-not-tell", level: "error", message, subject: server, couldNotTell: true }];
  }
  return [
    ...drifts.flatMap((drift) => seenIn(driftFindings(server, drift), drift.sessions)),
    ...remarks.flatMap((remark) => remarkFindings(server, remark)),
  ];
}

/** Each finding with the sessions in which it was seen, where that was not in all. */
function seenIn(findings: DriftFinding[], sessions: readonly SessionName[] | undefined): DriftFinding[] {
  if (sessions === undefined) return findings;
  const seen = `Seen ${sessions.map(sessionInWords).join(", and ")}`;
  return findings.map((finding) => ({ ...finding, note: [finding.note, seen].filter((note) => note).join(". ") }));
}
