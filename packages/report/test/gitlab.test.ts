import type { JudgedReport } from "@agentprint/findings";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderReport } from "../src/index.ts";
import { anyReport, reportOf } from "./reports.ts";

/** The members that GitLab documents for a Code Quality report, for which it publishes no schema. */
const validate = new Ajv2020({ allErrors: true }).compile({
  type: "array",
  items: {
    type: "object",
    required: ["description", "check_name", "fingerprint", "severity", "location"],
    properties: {
      description: { type: "string", minLength: 1 },
      check_name: { type: "string" },
      fingerprint: { type: "string", pattern: "^[0-9a-f]{64}$" },
      severity: { enum: ["info", "minor", "major", "critical", "blocker"] },
      location: {
        type: "object",
        required: ["path", "lines"],
        properties: {
          path: { type: "string" },
          lines: { type: "object", required: ["begin"], properties: { begin: { type: "integer", minimum: 1 } } },
        },
      },
    },
  },
});

function violations(report: JudgedReport): { fingerprint: string; severity: string; location: object }[] {
  const parsed = JSON.parse(renderReport(report, "gitlab"));
  expect(validate(parsed), JSON.stringify(validate.errors)).toBe(true);
  return parsed;
}

describe("GitLab Code Quality", () => {
  test("a finding is a violation at its line", () => {
    const location = { file: "a/agentprint.lock", line: 3 };
    expect(violations(reportOf({ pointer: "/a", before: 1, after: 2, note: "Look", location }))).toEqual([
      {
        description: "subject: changed at /a\n- 1\n+ 2\nLook",
        check_name: "test/rule",
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        severity: "critical",
        location: { path: "a/agentprint.lock", lines: { begin: 3 } },
      },
    ]);
  });

  test("a finding outside of a file is at its subject", () => {
    expect(violations(reportOf({ subject: "src/a.ts" }))[0]?.location).toEqual({
      path: "src/a.ts",
      lines: { begin: 1 },
    });
  });

  test("each entry names a file: the one that the report is about, or else another finding's", () => {
    const change = ["The change accepts a tool."];
    const paths = (report: JudgedReport, file?: string) =>
      JSON.parse(renderReport(report, "gitlab", file === undefined ? {} : { file })).map(
        ({ location }: { location: { path: string } }) => location.path,
      );
    expect(paths(reportOf({}, { change }), "a/agentprint.lock")).toEqual(["a/agentprint.lock", "a/agentprint.lock"]);
    expect(paths(reportOf({ location: { file: "b.lock" } }, { change }))).toEqual(["b.lock", "b.lock"]);
    expect(paths(reportOf({}, { change, findings: [] }))).toEqual(["agentprint.lock"]);
  });

  test("severities follow levels; a finding without a result blocks", () => {
    const severity = (finding: Parameters<typeof reportOf>[0]) => violations(reportOf(finding))[0]?.severity;
    expect([severity({ level: "note" }), severity({ level: "warning" }), severity({ level: "error" })]).toEqual([
      "info",
      "minor",
      "critical",
    ]);
    expect(severity({ couldNotTell: true })).toBe("blocker");
  });

  test("a fingerprint stays in the next run, whatever the values are, and is there once", () => {
    const [first] = reportOf({ pointer: "/a", after: 1 }).findings;
    const [other] = reportOf({ pointer: "/b", after: 1 }).findings;
    const prints = (findings: JudgedReport["findings"]) =>
      violations(reportOf({}, { findings })).map(({ fingerprint }) => fingerprint);
    const all = prints([first!, other!, first!]);
    expect(new Set(all).size).toBe(3);
    expect(prints([{ ...first!, after: 2, message: "said in other words" }])).toEqual([all[0]]);
    expect(prints([other!])).toEqual([all[1]]);
  });

  test("any report is valid", () => {
    fc.assert(fc.property(anyReport, (report) => void violations(report)));
  });
});
