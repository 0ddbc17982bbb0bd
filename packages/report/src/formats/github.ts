import { changedValues } from "../changed-values.ts";
import { excerptText } from "../excerpt.ts";
import type { Finding, Report } from "../report.ts";

const COMMAND = { error: "error", warning: "warning", note: "notice" } as const;

/** Workflow commands that GitHub Actions turns into annotations, one for each finding and one for the result. */
export function renderGithub(report: Report): string {
  const result = `::notice title=${property(excerptText(report.title))}::${data(excerptText(report.summary))}`;
  return `${[...report.findings.map(annotation), result].join("\n")}\n`;
}

function annotation(finding: Finding): string {
  const { file, line, column } = finding.location ?? {};
  const properties = [
    ["file", file === undefined ? undefined : excerptText(file)],
    ["line", line],
    ["col", column],
    ["title", excerptText(finding.subject)],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${property(String(value))}`]));
  const lines = [
    `${excerptText(finding.message)}${finding.pointer ? ` at ${excerptText(finding.pointer)}` : ""}`,
    ...changedValues(finding).map(({ sign, text }) => `${sign} ${text}`),
    ...(finding.note === undefined ? [] : [excerptText(finding.note)]),
  ];
  return `::${COMMAND[finding.level]} ${properties.join(",")}::${data(lines.join("\n"))}`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
