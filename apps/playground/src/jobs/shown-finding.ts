import type { Finding, Report } from "@agentprint/findings";
import { type ChangedSides, changedSides } from "./shown-value.ts";

/** A finding as the page shows it. */
export interface ShownFinding extends Pick<Finding, "level" | "rule" | "message" | "note"> {
  readonly subject: string;
  readonly pointer?: string;
  /** The help text of the finding's rule. */
  readonly help: string;
  readonly sides: ChangedSides;
}

/** Returns a finding with its rule's help text, in the form in which it leaves the worker. */
export function shownFinding(finding: Finding, rules: Report["rules"]): ShownFinding {
  const { level, rule, message, note, place } = finding;
  return {
    level,
    rule,
    message,
    ...(note !== undefined && { note }),
    subject: place.subject,
    ...(place.pointer !== undefined && { pointer: place.pointer }),
    help: rules[rule]?.help ?? "",
    sides: changedSides(finding),
  };
}
