import { escapeText } from "@agentprint/canonical-json";
import { excerptText } from "../excerpt-text.ts";
import { MAX_ANNOTATION_LENGTH, MAX_ANNOTATIONS_SHOWN } from "../limits.ts";
import type { Report } from "../report.ts";
import { findingLines, type ShownFinding } from "../shown-finding.ts";

const COMMAND = { error: "error", warning: "warning", note: "notice" } as const;

/**
 * Workflow commands that GitHub Actions shows as annotations: one for each finding and one for the result. A result that
 * GitHub would cut continues in further annotations.
 */
export function renderGithub(report: Report, findings: readonly ShownFinding[]): string {
  const title = property(escapeText(report.title));
  const result = piecesOf(report.summary);
  const lines = [...result.slice(0, -1), `${result.at(-1)}${unannotated(report)}`];
  return `${[...findings.map(annotation), ...lines.map((text) => `::notice title=${title}::${data(text)}`)].join("\n")}\n`;
}

/** A text in escaped pieces that are no longer than an annotation. */
function piecesOf(text: string): [string, ...string[]] {
  const piece = excerptText(text, MAX_ANNOTATION_LENGTH);
  return piece.rest === 0 ? [piece.text] : [piece.text, ...piecesOf(text.slice(text.length - piece.rest))];
}

function unannotated({ findings }: Report): string {
  const more = (["error", "warning"] as const).flatMap((level) => {
    const count = findings.filter((finding) => finding.level === level).length;
    return count > MAX_ANNOTATIONS_SHOWN ? [`${MAX_ANNOTATIONS_SHOWN} of ${count} ${level}s`] : [];
  });
  return more.length === 0 ? "" : `\nGitHub shows ${more.join(" and ")} as annotations; all of them are in the log`;
}

function annotation(shown: ShownFinding): string {
  const { finding, subject } = shown;
  const { file, line, column } = finding.place.location ?? {};
  const properties = [
    ["file", file === undefined ? undefined : escapeText(file)],
    ["line", line],
    ["col", column],
    ["title", subject],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${property(String(value))}`]));
  return `::${COMMAND[finding.level]} ${properties.join(",")}::${data(findingLines(shown).join("\n"))}`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
