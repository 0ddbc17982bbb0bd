import { judgeReport } from "../../../../packages/findings/src/index.ts";
import { driftToReport } from "../../../../packages/mcp-lock/src/findings/index.ts";
import type { DriftReport } from "../../../../packages/mcp-lock/src/index.ts";
import { renderReport } from "../../../../packages/report/src/index.ts";

/** The width of the rows, in columns. */
const COLUMNS = 100;

/** Phrases from the messages about changed schemas, one for each verdict and each kind of cause. */
const VERDICTS = ["callers break", "callers can continue", "nothing is proven", "what a call does", "input takes more"];

/**
 * Returns the number of the row in a check's text report by which all findings about verdicts and causes have been
 * named; 0 if there are none. The part below it, which shows values in full, is not searched.
 *
 * @throws Error if such a finding is not named above that part
 */
export function lastRowOf(drift: DriftReport): number {
  const report = judgeReport(driftToReport(drift));
  const text = renderReport(report, "text", { brief: true, columns: COLUMNS });
  const [above = ""] = text.split("\n\nIn full");
  const lines = above.split("\n");
  const verdicts = report.findings.filter(({ message }) => VERDICTS.some((words) => message.includes(words)));
  for (const { message, place } of verdicts) {
    if (!above.includes(message) || !above.includes(place.tool ?? "")) throw new Error(`${place.subject}: ${message}`);
  }
  const last = lines.findLastIndex((line) => VERDICTS.some((words) => line.includes(words)));
  return lines.slice(0, last + 1).reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / COLUMNS)), 0);
}
