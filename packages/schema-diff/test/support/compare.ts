import { compareSchemas, type SchemaComparison } from "../../src/index.ts";

/** Compares as input schemas. */
export function compareInput(before: unknown, after: unknown): SchemaComparison {
  return compareSchemas(before, after, { direction: "input" });
}

/** Returns the verdicts in both directions. */
export function verdicts(before: unknown, after: unknown): string[] {
  return [compareInput(before, after).verdict, compareInput(after, before).verdict];
}

/** Returns the kind, path and effect of every change. */
export function named({ changes }: SchemaComparison): string[] {
  return changes.map(({ kind, path, effect }) => `${kind} ${path} ${effect}`);
}
