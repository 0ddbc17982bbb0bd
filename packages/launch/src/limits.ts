/**
 * Length of the name of a flag, variable, header or member, in UTF-16 code units; a longer name does not mark a
 * secret.
 */
export const MAX_NAME_LENGTH = 128;

/** Length of a value that may be a plain word or a file under a name such as `key`, in UTF-16 code units. */
export const MAX_PLAIN_VALUE_LENGTH = 256;

/** UTF-16 code units in which the name of an authorization scheme is searched for. */
export const MAX_SCHEME_LENGTH = 64;

/** UTF-16 code units of a value after `Basic` that decide whether the value is a credential. */
export const MAX_BASIC_LENGTH = 4096;

/** UTF-16 code units of a text in which an address with a password is searched for. */
export const MAX_ADDRESS_LENGTH = 65_536;
