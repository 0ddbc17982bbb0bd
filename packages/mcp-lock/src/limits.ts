/** The maximum length of a lock file, in bytes of UTF-8. */
export const MAX_LOCK_BYTES: number = 64 * 1024 * 1024;

/** The maximum size of the results that a file holds for one server's contents, in bytes of canonical JSON. */
export const MAX_RESULT_BYTES: number = 4 * 1024 * 1024;

/**
 * The maximum number of steps to compare schemas for all tools of a server in all its sessions (about two seconds),
 * because a hostile server may change ten thousand tools.
 */
export const MAX_STEPS = 4_000_000;

/** The maximum number of steps to find the causes of breaks, for all tools of a server in all its sessions. */
export const MAX_CAUSE_STEPS = 4_000_000;

/**
 * The maximum number of steps to determine the effects of single edits to inputs, for all tools of a server in all its
 * sessions.
 */
export const MAX_EFFECT_STEPS = 2_000_000;

/**
 * The minimum number of steps to find the causes of one tool's breaks, even if its share is smaller, because only few
 * of the changed tools break.
 */
export const MIN_CAUSE_STEPS_OF_TOOL = 400_000;

/** The maximum number of steps to compare the schemas of one tool, and to find the causes of its breaks. */
export const MAX_STEPS_OF_TOOL = 2_000_000;

/**
 * The maximum number of steps to find where one schema's references lead. Each reference costs four steps, plus one for
 * each 32 UTF-16 code units of its address and of the pointer that it leads to.
 */
export const MAX_REFERENCE_STEPS = 1_000_000;
