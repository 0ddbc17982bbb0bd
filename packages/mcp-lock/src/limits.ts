/** Deepest nesting of a definition. Real tools stay below 20; what is deeper is refused, not followed. */
export const MAX_DEPTH = 1000;

/** Longest lock file, in UTF-16 code units written and in UTF-8 bytes read. */
export const MAX_LOCK_LENGTH: number = 64 * 1024 * 1024;
