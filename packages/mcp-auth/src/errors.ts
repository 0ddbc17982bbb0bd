import { type ErrorDetails, ExplainedError } from "@agentprint/findings";

/** The code of an {@link AuthError}. */
export type AuthErrorCode =
  /** The server requires a login, or the login has ended. Run `agentprint login` for the server. */
  | "auth-required"
  /**
   * The server or its metadata names an address that it may not name, such as one in a private network. Ask its
   * operator.
   */
  | "auth-address"
  /** The metadata of the server or of its authorization server is missing or invalid. Ask its operator. */
  | "auth-metadata"
  /**
   * The issuer in an answer is not the expected one, so the answer was not used. Log in again; if that does not help,
   * ask the operator.
   */
  | "auth-issuer"
  /**
   * Another login replaced the current one, and no token was sent. Start the guard again with the login that you want.
   */
  | "auth-replaced"
  /** The metadata describes a resource that is not the server. Ask the server's operator; no token was sent. */
  | "auth-resource"
  /**
   * The authorization server does not declare PKCE with S256, so codes could be stolen. Ask its operator to support it.
   */
  | "auth-pkce"
  /** There is no client to log in with. Register one at the authorization server and pass its id. */
  | "auth-client"
  /** A token, or an answer of the authorization server, does not have the form that OAuth defines. Log in again. */
  | "auth-response"
  /** The authorization server refused the request. The message states the reason; log in again or ask the operator. */
  | "auth-denied"
  /**
   * The server requires scopes that the login does not have. Log in again with these scopes if you want to grant
   * them.
   */
  | "auth-scope"
  /** An answer took too long to arrive, or was too large. Try again; if that does not help, ask the operator. */
  | "auth-limit"
  /** A given secret, key or token cannot be used. Check the variable or the file that the message names. */
  | "auth-credential"
  /** The login store cannot be read or written. Check its permissions, or log in again. */
  | "auth-store";

/** Further details of a failed login. */
export interface AuthErrorDetails extends ErrorDetails {
  /** The scopes that a login needs: the current ones, and those that the server requires. */
  readonly scopes?: readonly string[] | undefined;
}

/**
 * The error that a failed login throws. Its messages contain no token, code or secret, but can quote the server: escape
 * them before they reach a terminal.
 */
export class AuthError extends ExplainedError<AuthErrorCode, AuthErrorDetails> {
  override readonly name = "AuthError";

  constructor(code: AuthErrorCode, message: string, details: AuthErrorDetails = {}) {
    super(code, message, details);
  }
}
