/** The most bytes of canonical JSON of a policy. */
export const MAX_POLICY_BYTES: number = 1024 * 1024;

/** The most levels of a policy, `arguments` included. */
export const MAX_POLICY_DEPTH = 256;
