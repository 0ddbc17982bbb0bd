import { count, type Finding, type JudgedReport, type Level } from "@agentprint/findings";
import { renderReport } from "@agentprint/report";

const SECTIONS: readonly (readonly [level: Level, title: string])[] = [
  ["error", "Breaking changes"],
  ["warning", "Other changes"],
  ["note", "Notes"],
];

/** The findings of a report as release notes in Markdown: what breaks first, and in each section tool by tool. */
export function renderChangelog(report: JudgedReport): string {
  const { findings } = report;
  if (findings.length === 0) return renderReport({ ...report, summary: "Nothing changed." }, "markdown");
  const sections = SECTIONS.flatMap(([level, name]) => {
    const own = findings.filter((finding) => finding.level === level);
    return own.length === 0 ? [] : [section(report, name, own)];
  });
  return [renderReport({ ...report, findings: [] }, "markdown"), ...sections].join("\n");
}

function section(report: JudgedReport, title: string, findings: readonly Finding[]): string {
  const subjects = new Set(findings.map(({ place }) => place.subject)).size;
  const summary = `${count(findings.length, "change")} in ${count(subjects, "place")}`;
  const { servers: _servers, ...rest } = report;
  return renderReport({ ...rest, title, summary, findings }, "markdown", { full: true });
}
