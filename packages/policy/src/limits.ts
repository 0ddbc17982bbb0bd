/** The most bytes of canonical JSON of a policy. */
export const MAX_POLICY_BYTES: number = 1024 * 1024;

/** The most levels of a policy, `arguments` included. */
export const MAX_POLICY_DEPTH = 256;

/** The most steps that the proofs about all `arguments` schemas of a policy may take together: some ten seconds. */
export const MAX_PROOF_STEPS = 20_000_000;
