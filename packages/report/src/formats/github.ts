import { escapeText } from "@agentprint/canonical-json";
import type { Report } from "../report.ts";
import type { ShownFinding } from "../shown-finding.ts";

/** GitHub cuts the message of an annotation at 4096 characters; what else is in it takes less than the difference. */
export const MAX_ANNOTATION = 3900;
/** GitHub shows so many annotations of a level for each step; the log has all of them. */
const MAX_SHOWN = 10;

const COMMAND = { error: "error", warning: "warning", note: "notice" } as const;

/** Workflow commands that GitHub Actions turns into annotations, one for each finding and one for the result. */
export function renderGithub(report: Report, findings: readonly ShownFinding[]): string {
  const result = `::notice title=${property(escapeText(report.title))}::${data(escapeText(report.summary) + unannotated(report))}`;
  return `${[...findings.map(annotation), result].join("\n")}\n`;
}

function unannotated({ findings }: Report): string {
  const more = (["error", "warning"] as const).flatMap((level) => {
    const count = findings.filter((finding) => finding.level === level).length;
    return count > MAX_SHOWN ? [`${MAX_SHOWN} of ${count} ${level}s`] : [];
  });
  return more.length === 0 ? "" : `\nGitHub shows ${more.join(" and ")} as annotations; all of them are in the log`;
}

function annotation({ finding, subject, message, pointer, values, note }: ShownFinding): string {
  const { file, line, column } = finding.location ?? {};
  const properties = [
    ["file", file === undefined ? undefined : escapeText(file)],
    ["line", line],
    ["col", column],
    ["title", subject],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${property(String(value))}`]));
  const lines = [
    `${message}${pointer === undefined ? "" : ` at ${pointer}`}`,
    ...values.map(({ sign, text }) => `${sign} ${text}`),
    ...(note === undefined ? [] : [note]),
  ];
  return `::${COMMAND[finding.level]} ${properties.join(",")}::${data(lines.join("\n"))}`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
