import { hashCanonical } from "@agentprint/canonical-json";
import { PROFILE } from "./payload.ts";

/** What {@link computeAuthorCommitment} hashes: who wrote the record with this hash. */
export function authorCanonicalPayload(record: { agent_id: string; hash: string }): { agent_id: string; hash: string } {
  return { agent_id: record.agent_id, hash: record.hash };
}

/**
 * A second digest of a record that covers `agent_id`, which `computeHash` leaves out, together with `hash`. A
 * checkpoint over these protects authorship, and whoever is shown one needs no content to check it.
 *
 * @returns 64 lowercase hex digits.
 *
 * @example
 * ```ts
 * import { computeAuthorCommitment } from "@agentprint/trail/checkpoint";
 *
 * computeAuthorCommitment({ ...record, agent_id: "a" }) === computeAuthorCommitment({ ...record, agent_id: "b" }); // false
 * ```
 */
export function computeAuthorCommitment(record: { agent_id: string; hash: string }): string {
  return hashCanonical(authorCanonicalPayload(record), PROFILE);
}
