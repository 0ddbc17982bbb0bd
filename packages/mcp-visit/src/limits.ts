/** How many UTF-16 code units or bytes of a message that is not strict JSON an error quotes. */
export const MAX_MESSAGE_QUOTED = 120;

/** The maximum size of a text resource that is read, in bytes. */
export const MAX_RESOURCE_BYTES: number = 1024 * 1024;

/** How many bytes an error quotes from the beginning of an HTTP body that is not a message. */
export const MAX_BODY_QUOTED_BYTES = 4096;

/** How many bytes from the end of a server's stderr are kept for an error. */
export const MAX_STDERR_BYTES = 4096;

/** The maximum number of times that a request is sent again with another authorization. */
export const MAX_AUTHORIZATIONS = 3;

/** The maximum number of redirects that a request follows. */
export const MAX_REDIRECTS = 5;

/** The maximum number of times that a request is answered with a request for input. */
export const MAX_INPUT_REQUESTS = 10;

/** The maximum number of times that lists are read in a session whose server announces a change each time. */
export const MAX_READINGS_OF_CHANGES = 3;

/** The maximum number of nested escape levels that are decoded in search of a known value. */
export const MAX_ESCAPE_LEVELS = 8;

/**
 * The maximum number of UTF-16 code units that one character of a known value takes when it is escaped, such as
 * `\u{10ffff}`.
 */
export const MAX_ESCAPE_LENGTH = 12;

/**
 * The maximum number of cuts in a text at which parts of known values are searched for; agentprint itself cuts a text
 * in only a few places.
 */
export const MAX_CUTS = 256;

/**
 * The maximum number of server requests that are being answered at the same time: over HTTP, each answer is a request
 * that a server can leave open.
 */
export const MAX_OPEN_ANSWERS = 100;
