import type { Finding, Place } from "@agentprint/findings";

/** The members of a finding that a policy reads. */
export interface PolicyFinding extends Pick<Finding, "rule" | "level" | "isRemark" | "couldNotTell" | "note"> {
  readonly place: Pick<Place, "subject" | "server" | "tool" | "pointer">;
}
