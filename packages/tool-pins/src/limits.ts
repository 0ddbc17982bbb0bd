/** The maximum number of levels of a definition; deeper definitions are refused. Real tools stay below 20. */
export const MAX_DEPTH = 1000;

/** The maximum length of the text of pins or of a listing, in bytes of UTF-8. */
export const MAX_BYTES: number = 64 * 1024 * 1024;

/**
 * The maximum number of pairs of removed and added tools that are compared word by word; above it, only tools that
 * differ only in name are matched.
 */
export const MAX_RENAME_PAIRS = 10_000;

/** The maximum number of a tool's parameters that count for its similarity to another tool. */
export const MAX_PARAMETERS = 1000;

/**
 * The number of UTF-16 code units of a text whose words count for the similarity of two tools: enough to recognize a
 * text, few enough to compare many.
 */
export const MAX_WORDS_LENGTH = 4096;
