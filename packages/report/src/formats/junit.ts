import type { JudgedReport } from "@agentprint/findings";
import { showText } from "../characters/show-text.ts";
import { findingLines, findingsBySubject, type ShownFinding } from "../shown-finding.ts";

/**
 * Renders JUnit XML: each checked subject is a test case. A difference is a failure unless a policy lets it pass; a
 * subject that could not be read is an error.
 */
export function renderJunit(report: JudgedReport, findings: readonly ShownFinding[]): string {
  const found = findingsBySubject(findings);
  const subjects = [...new Set([...report.checked, ...found.keys()])];
  const cases = subjects.map((subject) => testCase(report, subject, found.get(subject) ?? []));
  const count = (element: string): number => cases.filter((lines) => lines[1]?.startsWith(`      <${element} `)).length;
  const totals = `tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(showText(report.command))}" ${totals}>`,
    `  <testsuite name="${xml(showText(report.title))}" ${totals} skipped="0">`,
    ...propertiesOf(report),
    ...cases.flat(),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function propertiesOf({ change = [] }: JudgedReport): string[] {
  if (change.length === 0) return [];
  const lines = change.map((text) => `      <property name="change" value="${xml(showText(text))}"/>`);
  return ["    <properties>", ...lines, "    </properties>"];
}

function testCase(report: JudgedReport, subject: string, shown: readonly ShownFinding[]): string[] {
  const [first] = shown;
  const name = first === undefined ? showText(subject) : first.subjects[0];
  const open = `    <testcase classname="${xml(showText(report.command))}" name="${xml(name)}"`;
  if (first === undefined) return [`${open}/>`];
  // A build that reads this must not fail if the exit code is 0.
  const fails = shown.filter(({ finding }) => finding.level !== "note" && !finding.isAllowed);
  const counts = report.outcome === "same" ? [] : fails;
  const worst = shown.find(({ finding }) => finding.couldNotTell) ?? counts[0];
  const text = xml(shown.map((each) => `${each.finding.level}: ${findingLines(each).join("\n")}`).join("\n"));
  if (worst === undefined) return [`${open}>`, `      <system-out>${text}</system-out>`, "    </testcase>"];
  const element = worst.finding.couldNotTell ? "error" : "failure";
  const attributes = `message="${xml(worst.message)}" type="${xml(showText(worst.finding.rule))}"`;
  return [`${open}>`, `      <${element} ${attributes}>${text}</${element}>`, "    </testcase>"];
}

function xml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
