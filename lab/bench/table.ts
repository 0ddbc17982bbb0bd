import { markdownTable } from "@agentprint/testing/markdown/markdown-table";
import type { Result } from "./measure.ts";

/** A ratio is marked if the middle half of its rounds spreads over more than this. */
const WIDE_SPREAD = 0.1;

/**
 * Returns a Markdown table of one suite: a row per corpus, a column per contender. A contender with a wrong output has
 * no ratio.
 */
export function table(results: readonly Result[]): string {
  const contenders = [...new Set(results.map((result) => result.contender))];
  const comparisons = [...new Set(results.map((result) => result.comparison))];
  const rows = comparisons.map((comparison) => {
    const row = results.filter((result) => result.comparison === comparison);
    const bar = row.find((result) => result.bar !== undefined)?.bar;
    const cells = contenders.map((name) => cell(row.find((result) => result.contender === name)));
    return [comparison, ...cells, bar === undefined ? "" : `≥ ${Number(bar.toFixed(2))}`];
  });
  const header = ["", ...contenders, "bar"];
  return markdownTable(header, rows);
}

function cell(result: Result | undefined): string {
  if (result === undefined) return "–";
  if (result.correct === false) return "✗";
  const spread = result.spread > WIDE_SPREAD ? ` ± ${Math.round(result.spread * 50)} %` : "";
  return `${result.ratio.toFixed(2)}${spread}`;
}
