/** Levels of a definition. Real tools stay below 20; a deeper definition is refused. */
export const MAX_DEPTH = 1000;

/** Length of a text of pins or of a listing, in bytes of UTF-8. */
export const MAX_BYTES: number = 64 * 1024 * 1024;
