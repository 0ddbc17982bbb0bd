import { InvalidArgumentError } from "commander";

/** Commander argument parser: a whole number above zero. */
export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value === 0) {
    throw new InvalidArgumentError("expected a whole number above zero.");
  }
  return value;
}
