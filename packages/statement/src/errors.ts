import { escapeText } from "@agentprint/canonical-json";

/** The codes of {@link StatementError}. */
export type StatementErrorCode =
  /**
   * The text is not an Ed25519 key of the required kind. Pass PEM as the message expects, without a
   * passphrase.
   */
  | "invalid-key"
  /** The text is not a DSSE envelope of a statement. Fetch the file again from its author. */
  | "invalid-envelope"
  /**
   * The payload is not a statement with this predicate, or is malformed. Ask the author for a statement that this
   * version can read.
   */
  | "invalid-statement"
  /**
   * A statement about keys does not follow the previous statements, or was signed by a key that may not sign it. Fetch
   * the history again from its author.
   */
  | "invalid-history"
  /**
   * A `server.json` names no statement, or names one in a form that the registry does not accept. Correct the member at
   * the path.
   */
  | "invalid-reference"
  /** The payload is not evidence, or names a part that it does not contain. Ask its author for the complete file. */
  | "invalid-evidence"
  /** No trusted key signed the envelope. Do not use it, or add the author's key after you have checked it. */
  | "wrong-key"
  /**
   * A signature names a trusted key but does not belong to this key and this payload. Do not use it, because it was
   * altered.
   */
  | "invalid-signature"
  /**
   * The text is not a Sigstore trusted root. Get the `trusted_root.json` of the instance with which the author signs.
   */
  | "invalid-root"
  /**
   * The certificate in a bundle names someone who may not sign. Do not use the statement, or configure the identity
   * after you have checked whose it is.
   */
  | "wrong-identity"
  /**
   * No authority in the trusted root issued the certificate in a bundle, or the certificate was not valid at the time.
   * Do not use the statement, or renew the trusted root if the instance has new authorities.
   */
  | "untrusted-certificate"
  /**
   * No log in the trusted root has an entry for the bundle, or it is unknown when the bundle was signed. Get the bundle
   * again from its author.
   */
  | "not-logged";

/**
 * The only error class of this package.
 *
 * `path` is the RFC 6901 JSON Pointer of the wrong part, and `expected` describes a valid value there.
 *
 * @example
 * ```ts
 * import { openStatement, StatementError } from "@agentprint/statement";
 *
 * try {
 *   openStatement("{}", []);
 * } catch (error) {
 *   if (!(error instanceof StatementError)) throw error;
 *   console.log(error.code, error.path); // invalid-envelope /payloadType
 * }
 * ```
 */
export class StatementError extends Error {
  override readonly name = "StatementError";
  readonly code: StatementErrorCode;
  readonly path: string;
  readonly expected: string;

  constructor(
    code: StatementErrorCode,
    message: string,
    { path = "", expected }: { readonly path?: string; readonly expected: string },
    cause?: unknown,
  ) {
    super(escapeText(message), { cause });
    this.code = code;
    this.path = path;
    this.expected = expected;
  }
}
