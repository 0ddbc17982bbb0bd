/**
 * The maximum number of nested levels of toolkits, including those that dynamic toolkits create at evaluation.
 */
export const MAX_TOOLKIT_LEVELS = 256;

/** The maximum number of nested levels of objects and arrays in an invocation context. */
export const MAX_CONTEXT_LEVELS = 512;
