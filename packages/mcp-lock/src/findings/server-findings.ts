import type { SessionName } from "@agentprint/mcp";
import { type ChangedTool, NameIndex, type RenamedTool } from "@agentprint/tool-pins/judgement";
import { checkArgument } from "../check-argument.ts";
import type { Drift, DriftReport, ServerDrift } from "../drift/drift.ts";
import { byRule } from "./by-rule.ts";
import { findingOfCollision, findingOfLookAlike, findingsOfDrift } from "./drift-findings.ts";
import type { DriftFinding } from "./finding.ts";
import { findingsOfBounds, withoutBounds } from "./integer-bounds.ts";
import { findingsOfLaunch } from "./launch-findings.ts";
import { inReaderOrder } from "./reader-order.ts";
import { findingsOfRemark } from "./remark-findings.ts";
import { sessionInWords } from "./session-words.ts";

/**
 * Returns the findings of a check: first for each server, in reading order, then about tool names that several servers
 * offer. Each finding has its rule, level, place, and the values before and after.
 *
 * @example
 * ```ts
 * import { checkLock, driftFindings } from "@agentprint/mcp-lock";
 *
 * const [finding] = driftFindings(checkLock(lock, {}));
 * console.log(finding?.rule); // "mcp/could-not-tell"
 * ```
 */
export function driftFindings(
  drift: Pick<DriftReport, "servers" | "collisions" | "lookAlikes" | "names">,
): DriftFinding[] {
  checkArgument("drift", drift, { servers: "array", collisions: "array" });
  const { servers, collisions, lookAlikes = [], names = [] } = drift;
  const known = new NameIndex(names);
  return [
    ...servers.flatMap((server) => findingsOfServer(server, known)),
    ...collisions.map(findingOfCollision),
    ...lookAlikes.map(findingOfLookAlike),
  ];
}

function findingsOfServer(drift: ServerDrift, known: NameIndex): DriftFinding[] {
  const { server, failure, drifts, remarks, launch } = drift;
  const untold: DriftFinding[] =
    failure === undefined
      ? []
      : [
          {
            ...byRule("mcp/could-not-tell", `could not tell: ${failure.message}`),
            place: { subject: server, server },
            couldNotTell: true,
          },
        ];
  return inReaderOrder([
    { findings: untold },
    ...drifts.map((drift) => ({
      drift,
      findings: seenIn(findingsOfDrift(server, isOfTool(drift) ? withoutBounds(drift) : drift, known), drift.sessions),
    })),
    { findings: findingsOfBounds(server, drifts.filter(isOfTool)) },
    ...remarks.map((remark) => ({ findings: findingsOfRemark(server, remark, known) })),
    { findings: launch ? findingsOfLaunch(server, launch) : [] },
  ]);
}

function isOfTool(drift: Drift): drift is Extract<Drift, ChangedTool | RenamedTool> {
  return drift.type === "tool-changed" || drift.type === "tool-renamed";
}

/** Adds the sessions that saw the difference to each finding, unless all sessions did. */
function seenIn(findings: DriftFinding[], sessions: readonly SessionName[] | undefined): DriftFinding[] {
  if (sessions === undefined) return findings;
  const seen = `Seen ${sessions.map(sessionInWords).join(", and ")}`;
  return findings.map((finding) => ({ ...finding, note: [finding.note, seen].filter((note) => note).join(". ") }));
}
