import { escapeText } from "@agentprint/canonical-json";

/**
 * The codes of {@link StatementError}.
 *
 * - `invalid-key`: the text is no Ed25519 key of the kind that is asked for
 * - `invalid-envelope`: the text is no DSSE envelope of a statement
 * - `invalid-statement`: the payload is no statement of this predicate
 * - `wrong-key`: no key that is trusted signed the envelope
 * - `invalid-signature`: a signature names a key that is trusted, and is not of this key and this payload
 * - `invalid-root`: the text is no trusted root of Sigstore
 * - `wrong-identity`: the certificate of a bundle names somebody who may not sign
 * - `untrusted-certificate`: no authority of the trusted root issued the certificate of a bundle, or it was not valid at the time
 * - `not-logged`: no log of the trusted root has the entry of a bundle, or nothing says when it was signed
 */
export type StatementErrorCode =
  | "invalid-key"
  | "invalid-envelope"
  | "invalid-statement"
  | "wrong-key"
  | "invalid-signature"
  | "invalid-root"
  | "wrong-identity"
  | "untrusted-certificate"
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
