/** The maximum number of bytes in a policy's canonical JSON. */
export const MAX_POLICY_BYTES: number = 1024 * 1024;

/** The maximum number of levels in a policy, including `arguments`. */
export const MAX_POLICY_DEPTH = 256;

/**
 * The maximum number of steps for the proofs about all `arguments` schemas of a policy, which take about ten seconds.
 */
export const MAX_PROOF_STEPS = 20_000_000;
