import { RecorderError } from "../errors.ts";

/**
 * Checks that a library has the functions without which calls would not be seen.
 *
 * @param owner The module or prototype that should have the functions.
 * @throws {@link RecorderError} `unsupported` if one of them is missing.
 */
export function requireHooks(library: string, owner: object, hooks: readonly string[]): void {
  const missing = hooks.find((hook) => typeof (owner as Record<string, unknown>)[hook] !== "function");
  if (missing === undefined) return;
  throw new RecorderError("unsupported", `${library}: expected a version that has ${missing}, received one without it`);
}
