import type { Change } from "../../src/index.ts";

/** The members of a change that the recorded outcomes contain. */
export function oracleChange({ kind, tool, scope, flag, from, to }: Change): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ kind, tool, scope, flag, from, to }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
}
