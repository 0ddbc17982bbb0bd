/**
 * Deepest nesting of toolkits in one another, in levels, including those that dynamic toolkits create at evaluation.
 */
export const MAX_TOOLKIT_LEVELS = 256;

/** Deepest nesting of an invocation context, in levels of objects and arrays. */
export const MAX_CONTEXT_LEVELS = 512;
