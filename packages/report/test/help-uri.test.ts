import type { JudgedReport } from "@agentprint/findings";
import type { Log } from "sarif";
import { expect, test } from "vitest";
import { renderReport } from "../src/index.ts";
import { reportOf } from "./reports.ts";

const HELP = "https://git.somebody.net/somebody/agentprint/blob/HEAD/docs/RULES.md#test-rule";

/** Returns the addresses in a report's SARIF and JSON forms. */
function addressesIn(report: JudgedReport): (string | undefined)[] {
  const [run] = (JSON.parse(renderReport(report, "sarif")) as Log).runs;
  const { findings } = JSON.parse(renderReport(report, "json")) as { findings: { helpUri?: string }[] };
  return [run?.tool.driver.rules?.[0]?.helpUri, findings[0]?.helpUri];
}

test("a rule has the address of its documentation in SARIF and JSON where the report has it", () => {
  const report = reportOf({});
  expect(addressesIn(report)).toEqual([undefined, undefined]);
  const rules = Object.fromEntries(Object.entries(report.rules).map(([id, rule]) => [id, { ...rule, helpUri: HELP }]));
  expect(addressesIn({ ...report, rules })).toEqual([HELP, HELP]);
});
