import type { JudgedReport } from "@agentprint/findings";
import sarifSchema from "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json" with { type: "json" };
import Ajv from "ajv-draft-04";
import fc from "fast-check";
import type { Log } from "sarif";
import { describe, expect, test } from "vitest";
import { renderReport } from "../src/index.ts";
import { anyReport, reportOf } from "./reports.ts";

const validate = new Ajv.default({
  strict: false,
  unicodeRegExp: false,
  validateFormats: false,
  allErrors: true,
}).compile(sarifSchema);

function sarif(report: JudgedReport): Log {
  const log = JSON.parse(renderReport(report, "sarif")) as Log;
  expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
  return log;
}

describe("SARIF 2.1.0", () => {
  test("the schema refuses what is not SARIF", () => {
    expect(validate({ version: "2.1.0", runs: [{}] })).toBe(false);
  });

  test("a finding is a result that points to its file and to its logical place", () => {
    const [run] = sarif(
      reportOf({
        pointer: "/a",
        before: 1,
        after: 2,
        note: "Look",
        section: "What breaks",
        location: { file: "sub dir/x#.lock", line: 3, column: 4 },
      }),
    ).runs;
    expect(run?.results).toEqual([
      {
        ruleId: "test/rule",
        level: "error",
        message: { text: "subject: changed at /a\n- 1\n+ 2\nLook" },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: "sub%20dir/x%23.lock", uriBaseId: "%SRCROOT%" },
              region: { startLine: 3, startColumn: 4 },
            },
            logicalLocations: [{ fullyQualifiedName: "subject/a" }],
          },
        ],
        partialFingerprints: { "agentprintFinding/v1": expect.stringMatching(/^[0-9a-f]{64}$/) },
        properties: { section: "What breaks", before: 1, after: 2 },
      },
    ]);
    expect(run?.tool.driver.rules).toEqual([
      {
        id: "test/rule",
        shortDescription: { text: "Something changed." },
        help: { text: "Review it." },
        defaultConfiguration: { level: "error" },
      },
    ]);
    expect(run?.invocations).toEqual([{ executionSuccessful: true, exitCode: 1, toolExecutionNotifications: [] }]);
  });

  test("a file without a line, and no file at all", () => {
    const file = sarif(reportOf({ location: { file: "a.lock" } })).runs[0]?.results?.[0]?.locations?.[0];
    expect(file?.physicalLocation).toEqual({ artifactLocation: { uri: "a.lock", uriBaseId: "%SRCROOT%" } });
    expect(sarif(reportOf({})).runs[0]?.results?.[0]?.locations?.[0]).not.toHaveProperty("physicalLocation");
  });

  test("a finding outside of a file is at the file that the report is about", () => {
    const located = (location?: { file: string; line?: number }) => {
      const findings = [...reportOf({}).findings, ...reportOf(location ? { location } : {}).findings];
      const text = renderReport(
        reportOf({}, { findings }),
        "sarif",
        location ? {} : { file: "sub dir/agentprint.lock" },
      );
      const results = (JSON.parse(text) as Log).runs[0]?.results ?? [];
      return results.map(({ locations }) => locations?.[0]?.physicalLocation?.artifactLocation?.uri);
    };
    expect(located()).toEqual(["sub%20dir/agentprint.lock", "sub%20dir/agentprint.lock"]);
    expect(located({ file: "a.lock", line: 3 })).toEqual(["a.lock", "a.lock"]);
    const [run] = (JSON.parse(renderReport(reportOf({}), "sarif", { file: "a.lock" })) as Log).runs;
    expect(run?.results?.[0]?.locations?.[0]?.physicalLocation?.region).toEqual({ startLine: 1 });
  });

  test("a subject that could not be read makes the invocation unsuccessful and is no result", () => {
    const [run] = sarif(reportOf({ couldNotTell: true, message: "no answer" }, { outcome: "unknown" })).runs;
    expect(run?.results).toEqual([]);
    expect(run?.invocations?.[0]).toMatchObject({
      executionSuccessful: false,
      exitCode: 2,
      toolExecutionNotifications: [{ level: "error", message: { text: "subject: no answer" } }],
    });
  });

  test("the fingerprint of a finding depends on its place and not on its values", () => {
    const print = (finding: Parameters<typeof reportOf>[0]) =>
      sarif(reportOf(finding)).runs[0]?.results?.[0]?.partialFingerprints;
    expect(print({ pointer: "/a", after: 1 })).toEqual(print({ pointer: "/a", after: 2 }));
    expect(print({ pointer: "/a" })).not.toEqual(print({ pointer: "/b" }));
  });

  test("no text becomes a link", () => {
    expect(sarif(reportOf({ message: "[here](https://x.test)" })).runs[0]?.results?.[0]?.message.text).not.toContain(
      "](",
    );
  });

  test("any report is valid", () => {
    fc.assert(fc.property(anyReport, (report) => void sarif(report)));
  });
});
