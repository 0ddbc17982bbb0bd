import { problemsOf } from "@agentprint/testing/report/json-report";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderReport } from "../src/index.ts";
import { anyReport, reportOf } from "./reports.ts";

describe("JSON", () => {
  test("the members of every report, the findings and the data, on one line", () => {
    const report = reportOf({ pointer: "/a", after: 1 }, { data: { b: "x".repeat(500), z: [1, { c: null }] } });
    expect(renderReport(report, "json")).toBe(
      `{"b":"${"x".repeat(500)}","command":"agentprint check","findings":[{"after":1,"level":"error","message":"changed",` +
        '"place":{"pointer":"/a","subject":"subject"},"rule":"test/rule"}],"outcome":"drift","reportVersion":1,' +
        '"summary":"1 difference","title":"agentprint check","z":[1,{"c":null}]}\n',
    );
  });

  test("no member of the data takes the place of one that every report has", () => {
    const data = { reportVersion: 9, outcome: "fine", findings: 0, more: true };
    const report = JSON.parse(renderReport(reportOf({}, { data }), "json"));
    expect(report).toMatchObject({ reportVersion: 1, outcome: "drift", findings: [{}], more: true });
  });

  test("reads back as it was, whatever it holds, and writes no control character", () => {
    const data = { text: "\u202e\u009b\u{e0041}\ud800\n", "\u200b": "💥" };
    const json = renderReport(reportOf({}, { data }), "json");
    expect(JSON.parse(json)).toMatchObject(data);
    expect(json.trimEnd()).toMatch(/^[ -~💥]*$/u);
  });

  test("the published schema refuses what is no report", () => {
    expect(problemsOf({ findings: [] })).not.toEqual([]);
    expect(problemsOf({ ...JSON.parse(renderReport(reportOf({}), "json")), outcome: "fine" })).toEqual([
      "/outcome must be equal to one of the allowed values",
    ]);
    const [finding] = reportOf({}).findings;
    const untold = { ...JSON.parse(renderReport(reportOf({}), "json")), findings: [{ ...finding, rule: undefined }] };
    expect(problemsOf(untold)).toEqual(["/findings/0 must have required property 'rule'"]);
  });

  test("any report is valid by the published schema", () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        expect(problemsOf(JSON.parse(renderReport(report, "json")))).toEqual([]);
      }),
    );
  });
});
