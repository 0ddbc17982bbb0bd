/** Bytes of one message: the highest limit that the JSON parser accepts. */
export const MAX_MESSAGE_BYTES: number = 64 * 1024 * 1024;

/** Lines of one event of a stream that is read strictly. */
export const MAX_EVENT_LINES = 100_000;

/** Lines of an event that are joined at once: a line takes more memory than its bytes, and an empty line has no bytes. */
export const JOINED_LINES = 1024;
