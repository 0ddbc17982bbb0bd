/** The text that replaces a secret. */
export const REDACTED = "<redacted>";
