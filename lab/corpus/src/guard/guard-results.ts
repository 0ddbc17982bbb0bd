import { readFileSync } from "node:fs";
import { withPart } from "@agentprint/testing/markdown/markdown-part";
import type { GuardedUpgrade } from "./guard-upgrade.ts";

/** The results of running all upgrades behind the guard. They contain no server's text. */
export interface GuardResults {
  /** The date of the run. */
  readonly date: string;
  readonly commit: string;
  readonly node: string;
  readonly upgrades: readonly GuardedUpgrade[];
}

export const GUARD_RESULTS: URL = new URL("../../guard-results.json", import.meta.url);

/** Returns the results of the last run. */
export function readGuardResults(): GuardResults {
  return JSON.parse(readFileSync(GUARD_RESULTS, "utf8")) as GuardResults;
}

/** Returns the page's text with the table of these results. */
export function withGuardTable(text: string, results: GuardResults): string {
  return withPart(text, "releases", guardTable(results));
}

function guardTable({ date, commit, node, upgrades }: GuardResults): string {
  const sum = (of: (upgrade: GuardedUpgrade) => number): number => upgrades.reduce((all, each) => all + of(each), 0);
  const numbers = (of: (member: (typeof NUMBERS)[number]) => number): string => NUMBERS.map(of).join(" | ");
  const rows = upgrades.map(
    (upgrade) =>
      `| ${upgrade.server} | ${upgrade.from} | ${upgrade.to} | ${numbers((member) => upgrade[member])} | ${upgrade.worked ?? "not called"} | ${upgrade.faults.length} |`,
  );
  return [
    `Measured on ${date} at \`${commit.slice(0, 10)}\` with Node ${node}.`,
    "",
    "| server | locked | served | passed | frozen | refused | gone | calls that reached the server | calls of which no byte reached it | answered well | faults |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ...rows,
    `| **all** | | | ${numbers((member) => sum((upgrade) => upgrade[member]))} | ${sum(({ worked }) => worked ?? 0)} | ${sum(({ faults }) => faults.length)} |`,
  ].join("\n");
}

const NUMBERS = ["passed", "frozen", "refused", "gone", "reached", "kept"] as const;
