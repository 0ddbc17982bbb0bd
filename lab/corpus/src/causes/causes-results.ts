import { readFileSync } from "node:fs";
import { withPart } from "@agentprint/testing/markdown/markdown-part";

/** The results of undoing the causes in one server's upgrades. */
export interface CausesOfServer {
  readonly server: string;
  readonly upgrades: number;
  readonly changedTools: number;
  /** Schemas that break callers. */
  readonly breaking: number;
  readonly causes: number;
  /** The number of changes to breaking schemas that are not causes. */
  readonly others: number;
  readonly notIsolated: number;
  /** Statements that undoing disproved. */
  readonly faults: number;
  /** The number of the report's row with the last verdict or cause, in the upgrade where that number is greatest. */
  readonly lastRow: number;
  /** The number of tools that changed in that upgrade. */
  readonly toolsOfLastRow: number;
}

/** The results of a run over all upgrades. They contain no server's text. */
export interface CausesResults {
  /** The date of the run. */
  readonly date: string;
  readonly commit: string;
  readonly node: string;
  readonly servers: readonly CausesOfServer[];
}

export const CAUSES_RESULTS: URL = new URL("../../causes-results.json", import.meta.url);

/** Returns the results of the last run. */
export function readCausesResults(): CausesResults {
  return JSON.parse(readFileSync(CAUSES_RESULTS, "utf8")) as CausesResults;
}

/** Returns the page's text with the table of these results. */
export function withCausesTable(text: string, results: CausesResults): string {
  return withPart(text, "causes", causesTable(results));
}

const NUMBERS = ["upgrades", "changedTools", "breaking", "causes", "others", "notIsolated", "faults"] as const;

/** Returns the results as a Markdown table with a sentence above. */
export function causesTable({ date, commit, node, servers }: CausesResults): string {
  const numbers = (of: (member: (typeof NUMBERS)[number]) => number): string => NUMBERS.map(of).join(" | ");
  const sum = (member: (typeof NUMBERS)[number]): number => servers.reduce((all, each) => all + each[member], 0);
  const row = (each: CausesOfServer): string =>
    `| ${each.server} | ${numbers((member) => each[member])} | ${each.lastRow} (${each.toolsOfLastRow} tools) |`;
  const greatest = Math.max(...servers.map(({ lastRow }) => lastRow));
  return [
    `Measured on ${date} at \`${commit.slice(0, 10)}\` with Node ${node}.`,
    "",
    "| server | upgrades | changed tools | breaking schemas | causes | also changed | not isolated | wrong | last row with a verdict or cause |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ...servers.map(row),
    `| **all** | ${numbers(sum)} | ${greatest} |`,
  ].join("\n");
}
