/** Deepest nesting of a definition. Real tools stay below 20; what is deeper is refused, not followed. */
export const MAX_DEPTH = 1000;

/** Longest lock file, in bytes of UTF-8. */
export const MAX_LOCK_BYTES: number = 64 * 1024 * 1024;
