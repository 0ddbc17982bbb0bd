/** The longest JSON text that can be parsed, in bytes: the highest value of the parser's own limit. */
export const MAX_JSON_BYTES: number = 64 * 1024 * 1024;
