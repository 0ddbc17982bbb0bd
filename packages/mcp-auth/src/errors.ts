/** The code of an {@link AuthError}. */
export type AuthErrorCode =
  | "auth-required"
  | "auth-address"
  | "auth-metadata"
  | "auth-issuer"
  | "auth-replaced"
  | "auth-resource"
  | "auth-pkce"
  | "auth-client"
  | "auth-response"
  | "auth-denied"
  | "auth-scope"
  | "auth-limit"
  | "auth-credential"
  | "auth-store";

/** Further facts about a failed login. */
export interface AuthErrorDetails {
  /** The address, file or variable that the error is about. */
  readonly where?: string | undefined;
  readonly expected?: string | undefined;
  /** One sentence that says how to correct the fault. */
  readonly fix?: string | undefined;
  /** The scopes that a login would need: those of the present one, and those that the server asks for. */
  readonly scopes?: readonly string[] | undefined;
  readonly cause?: unknown;
}

/**
 * The error of a login. Its texts hold no token, code or secret, and can quote the server: escape them before they reach a
 * terminal.
 */
export class AuthError extends Error {
  override readonly name = "AuthError";
  readonly code: AuthErrorCode;
  readonly details: AuthErrorDetails;

  constructor(code: AuthErrorCode, message: string, details: AuthErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.details = details;
  }
}
