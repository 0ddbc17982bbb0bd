import { type ErrorDetails, ExplainedError } from "@agentprint/findings";

/** The code of {@link ClientConfigError}. */
export type ClientConfigErrorCode =
  /** A configuration is not in its format, names no servers, or cannot be edited in place. Correct the file by hand. */
  "invalid-config";

/**
 * The error of a configuration that is not in its format, names no servers, or cannot be edited without a change of the lines around.
 * Its texts can quote the configuration: escape them before they reach a terminal.
 */
export class ClientConfigError extends ExplainedError<ClientConfigErrorCode> {
  override readonly name = "ClientConfigError";

  constructor(message: string, details: ErrorDetails = {}) {
    super("invalid-config", message, details);
  }
}
