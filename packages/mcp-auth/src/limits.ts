/** The maximum size in bytes of an authorization server's answer or a metadata document. */
export const MAX_ANSWER_BYTES: number = 1024 * 1024;

/** The time limit for one request to an authorization server, in milliseconds. */
export const REQUEST_TIMEOUT = 30_000;

/** The time that a person has to log in, in milliseconds. */
export const LOGIN_TIMEOUT = 300_000;

/** How long before its expiry a token is renewed, in milliseconds. */
export const RENEW_BEFORE = 30_000;

/** The interval between two requests of the device flow, in seconds, if the server states none (RFC 8628, 3.2). */
export const DEVICE_INTERVAL = 5;

/** How much of a server's text an error quotes, in UTF-16 code units. */
export const MAX_QUOTED = 300;
