import { GuardError } from "../errors.ts";

/**
 * The JSON text of a value of another library, as a transport would write it.
 *
 * @throws {@link GuardError} `not-json` when it has none: it holds itself, a bigint, or too many levels.
 */
export function jsonTextOf(value: unknown): string {
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text !== undefined) return text;
  } catch (error) {
    throw new GuardError("not-json", `expected a value that JSON can write, received another one: ${String(error)}`);
  }
  throw new GuardError("not-json", `expected a value that JSON can write, received ${typeof value}`);
}
