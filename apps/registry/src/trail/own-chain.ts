import { canonicalize } from "@agentprint/canonical-json";
import type { ThoughtInput } from "@agentprint/trail-store";
import { OWN_CHAIN, taskOf } from "./change-record.ts";

/** An event about the registry itself, as its trail records it. */
export type OwnEvent =
  | { readonly event: "key_issued"; readonly key_id: string; readonly agent_id: string }
  | { readonly event: "key_rotated"; readonly key_id: string; readonly successor: string; readonly expires_at: string }
  | { readonly event: "key_revoked" | "key_confirmed" | "key_used"; readonly key_id: string }
  | { readonly event: "numbers_given_up"; readonly agent_id: string; readonly kept: number; readonly reached: number }
  | { readonly event: "rollback_settled" }
  | { readonly event: "signer_rotated"; readonly verifier_key: string; readonly successor: string }
  | { readonly event: "rollback"; readonly lost: readonly LostRecords[]; readonly suspended: number };

/** A chain's records that were lost in a rollback, and the checkpoint that proves that they existed. */
interface LostRecords {
  readonly agent_id: string;
  /** How many of the records that the checkpoint covers the database has. */
  readonly kept: number;
  readonly lost: number;
  readonly checkpoint: string;
}

/** Returns the record of an event in the registry's own chain; its content is canonical JSON. */
export function ownRecord(event: OwnEvent, at: Date): ThoughtInput {
  return {
    type: "decision",
    task_id: taskOf(OWN_CHAIN),
    agent_id: "registry",
    content: canonicalize({ ...event }),
    timestamp: at.toISOString(),
  };
}
