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
   * The payload is not a statement of this predicate, or is malformed. Ask the author for a statement that this
   * version reads.
   */
  | "invalid-statement"
  /**
   * A statement about keys does not follow those before it, or was signed by a key that may not sign it. Fetch the
   * history again from its author.
   */
  | "invalid-history"
  /** A `server.json` names no statement, or not in a form that the registry takes. Correct the member at the place. */
  | "invalid-reference"
  /** The payload is not evidence, or names a part that it does not have. Ask its author for the complete file. */
  | "invalid-evidence"
  /** No trusted key signed the envelope. Do not use it, or add the key of the author after you have checked it. */
  | "wrong-key"
  /** A signature names a trusted key, but does not belong to this key and this payload. Do not use it; it was altered. */
  | "invalid-signature"
  /**
   * The text is not a trusted root of Sigstore. Get the `trusted_root.json` of the instance that the author signs with.
   */
  | "invalid-root"
  /**
   * The certificate of a bundle names someone who may not sign. Do not use the statement, or name the identity after
   * you have checked whose it is.
   */
  | "wrong-identity"
  /**
   * No authority of the trusted root issued the certificate of a bundle, or it was not valid at the time. Do not use
   * the statement, or renew the trusted root if the instance has new authorities.
   */
  | "untrusted-certificate"
  /**
   * No log of the trusted root has the entry of a bundle, or nothing says when it was signed. Get the bundle again from
   * its author.
   */
  | "not-logged";

/**
 * The error of this package.
 *
 * `path` is the RFC 6901 JSON Pointer of the wrong part, `expected` the form of a valid value there.
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
