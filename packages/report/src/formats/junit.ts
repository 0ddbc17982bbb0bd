import { changedValues, findingsBySubject } from "../changed-values.ts";
import { excerptText } from "../excerpt.ts";
import type { Finding, Report } from "../report.ts";

/** JUnit XML: each checked subject is a test case, failed by a difference, in error when it could not be read. */
export function renderJunit(report: Report): string {
  const found = findingsBySubject(report.findings);
  const subjects = [...new Set([...report.checked, ...found.keys()])];
  const cases = subjects.map((subject) => testCase(report, subject, found.get(subject) ?? []));
  const count = (element: string): number => cases.filter((lines) => lines[1]?.startsWith(`      <${element} `)).length;
  const totals = `tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(report.command)}" ${totals}>`,
    `  <testsuite name="${xml(report.title)}" ${totals} skipped="0">`,
    ...cases.flat(),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function testCase(report: Report, subject: string, findings: readonly Finding[]): string[] {
  const open = `    <testcase classname="${xml(report.command)}" name="${xml(subject)}"`;
  const [first] = findings;
  if (first === undefined) return [`${open}/>`];
  const worst = findings.find((finding) => finding.couldNotTell) ?? findings.find(({ level }) => level !== "note");
  const text = findings.flatMap(findingLines).map(xml).join("\n");
  if (worst === undefined) return [`${open}>`, `      <system-out>${text}</system-out>`, "    </testcase>"];
  const element = worst.couldNotTell ? "error" : "failure";
  const attributes = `message="${xml(worst.message)}" type="${xml(worst.ruleId)}"`;
  return [`${open}>`, `      <${element} ${attributes}>${text}</${element}>`, "    </testcase>"];
}

function findingLines(finding: Finding): string[] {
  const pointer = finding.pointer ? ` at ${finding.pointer}` : "";
  return [
    `${finding.level}: ${finding.message}${pointer}`,
    ...changedValues(finding).map(({ sign, text }) => `${sign} ${text}`),
    ...(finding.note === undefined ? [] : [finding.note]),
  ];
}

function xml(text: string): string {
  return excerptText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
