/** Further facts about a configuration that cannot be read or edited. */
export interface ClientConfigErrorDetails {
  /** The file, and the place in it. */
  readonly where?: string | undefined;
  readonly expected?: string | undefined;
  /** One sentence that says how to correct the fault. */
  readonly fix?: string | undefined;
  readonly cause?: unknown;
}

/** The code of {@link ClientConfigError}. */
export type ClientConfigErrorCode =
  /** A configuration is not in its format, names no servers, or cannot be edited in place. Correct the file by hand. */
  "invalid-config";

/**
 * The error of a configuration that is not in its format, names no servers, or cannot be edited without a change of the lines around.
 * Its texts can quote the configuration: escape them before they reach a terminal.
 */
export class ClientConfigError extends Error {
  override readonly name = "ClientConfigError";
  readonly code: ClientConfigErrorCode = "invalid-config";
  readonly details: ClientConfigErrorDetails;

  constructor(message: string, details: ClientConfigErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.details = details;
  }
}
