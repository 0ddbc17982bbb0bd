/** The variable in which the vitest process stores the path of the bundled command's main module. */
export const BUNDLED_COMMAND = "AGENTPRINT_TEST_COMMAND";

/** Returns the main module of the bundled command, if this run has one. */
export function bundledCommand(): string | undefined {
  return process.env[BUNDLED_COMMAND];
}
