import { hashCanonical } from "@agentprint/canonical-json";
import { entriesCanonicalPayload, type LockEntry } from "@agentprint/mcp-lock/lock";

/** The digest by which `--expect` names the state of servers: of one server its own, of several that of all of them. */
export function reviewedDigest(states: readonly Pick<LockEntry, "name" | "digest">[]): string {
  const [only, ...others] = states;
  return only !== undefined && others.length === 0 ? only.digest : hashCanonical(entriesCanonicalPayload(states));
}
