/** Bytes of one answer of an authorization server, or of a metadata document. */
export const MAX_ANSWER_BYTES: number = 1024 * 1024;

/** Milliseconds for one request to an authorization server. */
export const REQUEST_TIMEOUT = 30_000;

/** Milliseconds for a person to log in. */
export const LOGIN_TIMEOUT = 300_000;

/** Milliseconds before its expiry at which a token is renewed. */
export const RENEW_BEFORE = 30_000;

/** Seconds between two requests of the device flow if the server names none (RFC 8628, 3.2). */
export const DEVICE_INTERVAL = 5;

/** UTF-16 code units of a server's text that an error quotes. */
export const MAX_QUOTED = 300;
