import { type ErrorDetails, ExplainedError } from "@agentprint/findings";

/** The code of {@link ClientConfigError}. */
export type ClientConfigErrorCode =
  /** A configuration is not in its format, names no servers, or cannot be edited in place. Correct the file by hand. */
  "invalid-config";

/**
 * The error for a configuration that is not in its format, names no servers, or cannot be edited without changing the
 * lines around the edit. Its texts can quote the configuration, so escape them before they reach a terminal.
 */
export class ClientConfigError extends ExplainedError<ClientConfigErrorCode> {
  override readonly name = "ClientConfigError";

  constructor(message: string, details: ErrorDetails = {}) {
    super("invalid-config", message, details);
  }
}
