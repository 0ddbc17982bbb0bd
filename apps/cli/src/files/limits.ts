/** The longest JSON text that can be parsed, in bytes: the highest that the parser's own limit may be. */
export const MAX_JSON_BYTES: number = 64 * 1024 * 1024;
