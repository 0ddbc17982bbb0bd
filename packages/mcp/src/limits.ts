/** The maximum number of bytes in one message, which is the highest limit that the JSON parser accepts. */
export const MAX_MESSAGE_BYTES: number = 64 * 1024 * 1024;

/** The maximum number of lines in one event of a stream that is read strictly. */
export const MAX_EVENT_LINES = 100_000;

/**
 * The number of an event's lines that are joined at once, because a line takes more memory than its bytes, and an empty
 * line has no bytes.
 */
export const JOINED_LINES = 1024;
