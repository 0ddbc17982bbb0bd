import { StatementError } from "@agentprint/statement";
import { CliError } from "../errors.ts";

/** The longest file of a key, in bytes. */
export const MAX_KEY_BYTES = 65_536;

/**
 * Runs a function that reads the text of a key or a statement, and explains its error.
 *
 * @throws {@link CliError} `unreadable-input`
 */
export function readable<T>(file: string, fix: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    const where = error.path === "" ? file : `${file} at ${error.path}`;
    throw new CliError("unreadable-input", error.message, { where, expected: error.expected, fix, cause: error });
  }
}
