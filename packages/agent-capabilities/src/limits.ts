/** Deepest nesting of toolkits in one another, in levels; those that dynamic toolkits create at evaluation count, too. */
export const MAX_TOOLKIT_LEVELS = 256;

/** Deepest nesting of an invocation context, in levels of objects and arrays. */
export const MAX_CONTEXT_LEVELS = 512;
