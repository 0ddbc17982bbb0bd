/** The time that a server has for each step of its shutdown, in milliseconds. */
export const GRACE = 2000;

/** The longest line of a client or a server, in bytes. The guard refuses shorter ones by its own limit, and answers them. */
export const MAX_LINE_BYTES: number = 64 * 1024 * 1024;

/** The most bytes that may wait for a server to read them. A server that stops reading is ended. */
export const MAX_UNREAD_BYTES: number = 128 * 1024 * 1024;
