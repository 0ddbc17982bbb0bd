import { closestMatch } from "leven";
import { CliError } from "../run/errors.ts";

/**
 * The maximum length of a compared name, in UTF-16 code units, because the time of a comparison grows with the product
 * of two lengths.
 */
const MAX_NAME_LENGTH = 200;
const MAX_TOLD = 20;

/**
 * Returns the `usage` error for an unknown name. The error lists the existing names, or suggests the one that was
 * probably meant.
 *
 * @param fix The remedy if no name resembles the given one
 */
export function unknownName(message: string, given: string, names: readonly string[], fix?: string): CliError {
  const closest = closestName(given, names);
  return new CliError("usage", message, {
    expected: names.length === 0 ? undefined : listNames(names),
    fix: closest === undefined ? fix : `give ${closest}, if that was meant`,
  });
}

function listNames(names: readonly string[]): string {
  const more = names.length > MAX_TOLD ? `, or one of ${names.length - MAX_TOLD} more` : "";
  return `one of ${names.slice(0, MAX_TOLD).join(", ")}${more}`;
}

/** Returns the name that differs from the given one by only a few letters. */
export function closestName(given: string, names: readonly string[]): string | undefined {
  if (given.length > MAX_NAME_LENGTH) return undefined;
  const candidates = names.filter(({ length }) => length <= MAX_NAME_LENGTH);
  return (
    candidates.find((name) => name.toLowerCase() === given.toLowerCase()) ??
    closestMatch(given, candidates, { maxDistance: Math.max(1, Math.floor(given.length / 3)) })
  );
}
