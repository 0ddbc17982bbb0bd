import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FORMATS, renderReport } from "../src/index.ts";
import { anyReport, reportOf, UNSEEN } from "./reports.ts";

describe.each(FORMATS)("%s", (format) => {
  test("shows no control, invisible or bidirectional character of any string", () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        const output = renderReport(report, format);
        expect(output.replaceAll("\n", "").match(UNSEEN)).toBeNull();
        expect(output.endsWith("\n")).toBe(true);
      }),
    );
  });

  test("is short for long strings, except where it is complete for machines", () => {
    const long = "long ".repeat(200_000);
    const report = reportOf({
      subject: long,
      message: long,
      pointer: `/${long}`,
      before: long,
      after: `${long}!`,
      note: long,
    });
    const output = renderReport({ ...report, checked: [], data: { long } }, format);
    if (format === "json") expect(JSON.parse(output)).toMatchObject({ long, findings: report.findings });
    else if (format === "sarif") expect(JSON.parse(output).runs[0].results[0].properties.after).toBe(`${long}!`);
    else expect(output.length).toBeLessThan(40_000);
  });
});

test("a workflow command cannot be injected", () => {
  fc.assert(
    fc.property(anyReport, (report) => {
      const lines = renderReport(report, "github").trimEnd().split("\n");
      expect(lines.length).toBeGreaterThan(report.findings.length);
      for (const line of lines) expect(line).toMatch(/^::(error|warning|notice) [^:]*::/);
    }),
  );
});
