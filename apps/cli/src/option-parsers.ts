import { InvalidArgumentError } from "commander";

/** Commander argument parser: a whole number above zero. */
export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value === 0) {
    throw new InvalidArgumentError("expected a whole number above zero.");
  }
  return value;
}

/** Commander argument parser: a whole number, zero included. */
export function wholeNumber(text: string): number {
  return text === "0" ? 0 : positiveInteger(text);
}

/** Commander argument parser of a repeatable option. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}
