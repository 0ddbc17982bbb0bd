import { hashCanonical } from "@agentprint/canonical-json";
import { entriesCanonicalPayload, type LockedServer } from "@agentprint/mcp-lock/lock";

/** Returns the digest by which `--expect` names the state of servers: a single server's own, or one of all of them. */
export function reviewedDigest(states: readonly Pick<LockedServer, "name" | "digest">[]): string {
  const [only, ...others] = states;
  return only !== undefined && others.length === 0 ? only.digest : hashCanonical(entriesCanonicalPayload(states));
}
