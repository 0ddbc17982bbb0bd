import type { EndTimes } from "@agentprint/mcp-visit";

/**
 * How long a server has to exit after its input ends, in milliseconds. MCP clients wait for two seconds, then ask it to
 * exit, and kill it after four.
 */
export const AFTER_INPUT: EndTimes = /* @__PURE__ */ Object.freeze({ terminate: 1500, kill: 3000 });

/** How long a server has to exit after a signal to the guard, in milliseconds. */
export const AFTER_SIGNAL: EndTimes = /* @__PURE__ */ Object.freeze({ terminate: 0, kill: 1000 });

/** How long the guard waits for the peer to take the last bytes, in milliseconds. */
export const GRACE = 2000;

/**
 * The longest line of a client or a server, in bytes. The guard's own limit is lower; it answers lines that exceed only
 * that limit.
 */
export const MAX_LINE_BYTES: number = 64 * 1024 * 1024;

/** The maximum number of bytes that may wait for a server to read them. A server that stops reading is stopped. */
export const MAX_UNREAD_BYTES: number = 128 * 1024 * 1024;
