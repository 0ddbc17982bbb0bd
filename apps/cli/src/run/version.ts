import { writeSync } from "node:fs";
import packageJson from "../../package.json" with { type: "json" };

/** The options that ask for the version, as the help lists them. */
export const VERSION_OPTIONS = ["-V", "--version"] as const;

const STDOUT = 1;

/**
 * Prints the version if the command line consists of one of {@link VERSION_OPTIONS}, without a module of the command
 * line; returns whether it did. An output that cannot be written is left to the command line, which knows its errors.
 */
export function printVersion(words: readonly string[]): boolean {
  if (words.length !== 1 || !VERSION_OPTIONS.some((option) => option === words[0])) return false;
  try {
    writeSync(STDOUT, `${packageJson.version}\n`);
    return true;
  } catch {
    return false;
  }
}
