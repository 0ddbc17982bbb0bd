/** How long a server may take for its end at each step, in milliseconds. */
export const GRACE = 2000;

/** The longest line of a client or a server, in bytes. The guard refuses shorter ones by its own limit, and answers them. */
export const MAX_LINE_BYTES: number = 64 * 1024 * 1024;
