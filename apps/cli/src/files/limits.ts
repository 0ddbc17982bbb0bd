/**
 * The maximum length of JSON text that can be parsed, in bytes: the highest value to which the parser's own limit can
 * be set.
 */
export const MAX_JSON_BYTES: number = 64 * 1024 * 1024;
