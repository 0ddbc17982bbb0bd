/**
 * The maximum length in UTF-16 code units of a flag's, variable's, header's or member's name; a longer name does not
 * mark a secret.
 */
export const MAX_NAME_LENGTH = 128;

/** The maximum length in UTF-16 code units of a value that may be a plain word or a file under a name such as `key`. */
export const MAX_PLAIN_VALUE_LENGTH = 256;

/** The number of UTF-16 code units that are searched for the name of an authorization scheme. */
export const MAX_SCHEME_LENGTH = 64;

/**
 * The number of UTF-16 code units of a value after `Basic` that are examined to decide whether the value is a
 * credential.
 */
export const MAX_BASIC_LENGTH = 4096;

/** The number of UTF-16 code units of a text that are searched for an address with a password. */
export const MAX_ADDRESS_LENGTH = 65_536;
