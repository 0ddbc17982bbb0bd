import { LEVELS, type Level, type Report } from "@agentprint/findings";
import { showText } from "./characters/show-text.ts";
import { groupFindings } from "./group-findings.ts";

export const OUTCOME_WORDS = { same: "unchanged", drift: "drifted", unknown: "could not be read" } as const;
export const HIGHEST_FIRST: readonly Level[] = LEVELS.toReversed();

/**
 * Returns a table of a report's servers: its head, and for each server a row with its tools, changes by level, and
 * outcome. A change that several tools share counts as one. Changes that concern several servers are not counted for
 * any of them. Returns `undefined` if the report has no servers.
 */
export function serverTable({ servers, findings }: Report): readonly (readonly string[])[] | undefined {
  if (servers === undefined || servers.length === 0) return undefined;
  const counts = new Map<string, number>();
  for (const [{ level, place }] of groupFindings(findings)) {
    const key = JSON.stringify([place.server ?? null, level]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [
    ["server", "tools", "errors", "warnings", "notes", "outcome"],
    ...servers.map(({ server, tools, outcome, event }) => [
      showText(server),
      tools === undefined ? "–" : `${tools}`,
      ...HIGHEST_FIRST.map((level) => `${counts.get(JSON.stringify([server, level])) ?? 0}`),
      outcome === "same" && event !== undefined ? "notes only" : OUTCOME_WORDS[outcome],
    ]),
  ];
}

/** Returns whether a column in the table contains numbers, which are right-aligned. */
export function isNumeric(column: number): boolean {
  return column > 0 && column < 5;
}
