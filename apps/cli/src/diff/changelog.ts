import { count, type Finding, type JudgedReport } from "@agentprint/findings";
import { breaksCallers } from "@agentprint/mcp-lock/rules";
import { renderReport } from "@agentprint/report";

const SECTIONS = ["Breaking changes", "Other changes", "Notes"] as const;

/** Renders the findings of a report as release notes in Markdown: breaking changes first, and each section tool by tool. */
export function renderChangelog(report: JudgedReport): string {
  const { findings } = report;
  if (findings.length === 0) return renderReport({ ...report, summary: "Nothing changed." }, "markdown");
  const sections = SECTIONS.flatMap((name) => {
    const own = findings.filter((finding) => sectionOf(finding) === name);
    return own.length === 0 ? [] : [section(report, name, own)];
  });
  return [renderReport(report, "markdown", { summary: true }), ...sections].join("\n");
}

function sectionOf(finding: Finding): (typeof SECTIONS)[number] {
  if (breaksCallers(finding)) return "Breaking changes";
  return finding.level === "note" ? "Notes" : "Other changes";
}

function section(report: JudgedReport, title: string, findings: readonly Finding[]): string {
  const subjects = new Set(findings.map(({ place }) => place.subject)).size;
  const summary = `${count(findings.length, "change")} in ${count(subjects, "place")}`;
  const { servers: _servers, ...rest } = report;
  return renderReport({ ...rest, title, summary, findings }, "markdown", { full: true });
}
