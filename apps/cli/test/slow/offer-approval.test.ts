import type { Finding, JudgedReport, Place } from "@agentprint/findings";
import { FORMATS, renderReport } from "@agentprint/report";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { offerApproval } from "../../src/check/approve-line.ts";
import type { ReportOptions } from "../../src/report/report-options.ts";
import { isCutShort, loadCompareWords } from "../../src/report/write-report.ts";
import { memoryContext } from "../support/run-cli.ts";

const LINE = "agentprint approve files --expect abc";

function offer(report: JudgedReport, servers: readonly string[], options: ReportOptions): Promise<string> {
  return offerApproval(
    memoryContext(),
    report,
    servers,
    (shown) => `agentprint approve ${shown.join(" ")} --expect abc`,
    options,
  );
}

function reportOf(findings: readonly (Partial<Finding> & Partial<Place>)[]): JudgedReport {
  return {
    command: "agentprint check",
    title: "agentprint check",
    summary: "files drifted",
    outcome: "drift",
    findings: findings.map(({ subject = "files › read_file", pointer, ...finding }) => ({
      rule: "mcp/tool-prose-changed",
      level: "error",
      message: "prose changed",
      place: { subject, ...(pointer !== undefined && { pointer }) },
      ...finding,
    })),
    rules: {},
    checked: [],
    data: findings,
  };
}

/** Generates texts of the given number of words with an insertion at the start, in the middle or at the end. */
const anyEdits = fc.record({
  words: fc.integer({ min: 0, max: 4000 }),
  edits: fc.array(fc.tuple(fc.nat(4000), fc.integer({ min: 1, max: 1500 })), { minLength: 1, maxLength: 4 }),
});

describe("the line that approves a server", () => {
  test.each(FORMATS)("is not offered where a difference is missing in %s", async (format) => {
    await fc.assert(
      fc.asyncProperty(anyEdits, fc.boolean(), async ({ words, edits }, full) => {
        const before = Array.from({ length: words }, (_, index) => `word${index}`);
        const after = [...before];
        for (const [index, [place, length]] of edits.entries()) {
          after.splice(place, 0, ...Array.from({ length }, (_, at) => `new${index}at${at}`));
        }
        const report = reportOf([{ pointer: "/description", before: before.join(" "), after: after.join(" ") }]);
        const output = renderReport(report, format, { full, ...(await loadCompareWords(report)) });
        const offered = await offer(report, ["files"], { format, full });
        const found = new Set(output.match(/new\d+at\d+/g));
        const missing = after.filter((word) => word.startsWith("new") && !found.has(word));
        if (missing.length > 0) {
          expect(offered).not.toContain(LINE);
          expect(output).toMatch(
            /! \d+ characters of this change are not shown, from character \d+ of the value (before|after)/,
          );
        } else expect(offered.includes(LINE) || output.includes("are not shown")).toBe(true);
        if (full && format !== "github") expect(offered).toContain(LINE);
      }),
      {
        numRuns: 25,
        // A regression: a character was cut in half.
        examples: [
          [
            {
              words: 1049,
              edits: [
                [1045, 1],
                [1000, 336],
              ],
            },
            false,
          ],
        ],
      },
    );
  });

  test("is offered where only another server is cut short", async () => {
    const long = "word ".repeat(10_000);
    const report = reportOf([{ after: 1 }, { subject: "web › get", after: long }, { subject: "web2", after: 1 }]);
    const text = { format: "text", full: false } as const;
    expect(await offer(report, ["files"], text)).toContain(LINE);
    expect(await offer(report, ["web2"], text)).toContain(
      "accept this state after review, run: agentprint approve web2 --",
    );
    expect(await offer(report, ["web"], text)).toContain("run the check with --full");
    expect(await offer(report, ["web"], text)).not.toContain("--expect");
    expect(await offer(report, ["web"], { ...text, full: true })).toContain("agentprint approve web --");
    const [cut, line, ...rest] = (await offer(report, ["files", "web", "web2"], text)).split("\n");
    expect(cut).toContain("all that changed in web, so");
    expect(line).toBe("To accept these 2 states after review, run: agentprint approve files web2 --expect abc");
    expect(rest).toEqual([""]);
    expect(await isCutShort(report, "web", { ...text, output: "report.txt" })).toBe(false);
    expect(await offer(report, ["files"], { ...text, summary: true })).toContain("run the check without --summary");
  });

  test("shows nothing invisible of a server's name", async () => {
    const report = reportOf([{ subject: "a\u202eb", after: "word ".repeat(10_000) }]);
    expect(await offer(report, ["a\u202eb"], { format: "text", full: false })).toContain(
      "all that changed in a\\u{202e}b, so",
    );
  });
});
