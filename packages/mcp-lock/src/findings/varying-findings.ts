import type { VisitAnswers } from "@agentprint/mcp";
import { NameIndex } from "@agentprint/tool-pins/judgement";
import { checkArgument, ENTRY } from "../check-argument.ts";
import { findVaryingSignals } from "../drift/varying-signals.ts";
import type { LockedServer } from "../lock/lock.ts";
import { holdersOfVisit } from "../varies/varying-holders.ts";
import { findingsOfDrift } from "./drift-findings.ts";
import type { DriftFinding } from "./finding.ts";

/**
 * Returns the findings about answers in which a varying member has a signal that its pinned value lacks.
 *
 * @param answers The sessions of a visit, or a part of one
 * @param names The names of servers and tools, which count as signals
 *
 * @example
 * ```ts
 * import { varyingFindings } from "@agentprint/mcp-lock";
 *
 * const [entry] = lock.servers;
 * if (entry) console.log(varyingFindings(entry, answers, [])); // []
 * ```
 */
export function varyingFindings(
  entry: LockedServer,
  answers: Pick<VisitAnswers, "sessions">,
  names: readonly string[],
): DriftFinding[] {
  checkArgument("entry", entry, ENTRY);
  checkArgument("answers", answers, { sessions: [{ greetings: ["object"], lists: "object" }] });
  checkArgument("names", names, ["string"]);
  const known = new NameIndex([]);
  return findVaryingSignals(entry, holdersOfVisit(answers), names).flatMap((drift) =>
    findingsOfDrift(entry.name, drift, known),
  );
}
