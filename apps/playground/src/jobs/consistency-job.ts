import { parseJson } from "@agentprint/canonical-json";
import { TrailError } from "@agentprint/trail/chain";
import { type ConsistencyProof, verifyConsistencyProof } from "@agentprint/trail/checkpoint";
import { type AnchorInput, readAnchor } from "./anchor.ts";

/**
 * A consistency proof that the user was given, the checkpoint that it leads to, and the earlier one that it starts
 * from.
 */
export interface ConsistencyInput extends AnchorInput {
  readonly older: string;
  readonly consistency: string;
}

/** Whether the later checkpoint continues the earlier one, and whether the signatures of both were checked. */
export interface ConsistencyResult {
  readonly holds: boolean;
  readonly isSigned: boolean;
  readonly oldSize: number;
  readonly newSize: number;
}

/**
 * Verifies without the trail that a checkpoint continues an earlier one from the same log.
 *
 * @throws {TrailError} invalid-checkpoint when one of them is missing, wrong-origin when they are from different logs,
 * invalid-proof when the text is not a proof; and as `readAnchor` does
 */
export function consistencyJob({ older, consistency, ...newer }: ConsistencyInput): ConsistencyResult {
  const before = readAnchor({ ...newer, checkpoint: older });
  const after = readAnchor(newer);
  if (before === undefined || after === undefined) {
    throw new TrailError("invalid-checkpoint", "a consistency proof is verified against two checkpoints, so give both");
  }
  if (before.origin !== after.origin) {
    const origins = [before, after].map(({ origin }) => JSON.stringify(origin)).join(" and ");
    throw new TrailError("wrong-origin", `expected two checkpoints of one log, received ${origins}`);
  }
  const proof = parseJson(consistency) as unknown as ConsistencyProof;
  return {
    holds: verifyConsistencyProof(proof, before.head, after.head),
    isSigned: after.isSigned,
    oldSize: before.head.size,
    newSize: after.head.size,
  };
}
