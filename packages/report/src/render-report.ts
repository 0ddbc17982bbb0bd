import { renderGithub } from "./formats/github.ts";
import { renderGitlab } from "./formats/gitlab.ts";
import { renderJson } from "./formats/json.ts";
import { renderJunit } from "./formats/junit.ts";
import { renderMarkdown } from "./formats/markdown.ts";
import { renderSarif } from "./formats/sarif.ts";
import { type Paint, renderText } from "./formats/text.ts";
import type { ReportFormat } from "./formats.ts";
import { MAX_ANNOTATION_LENGTH, MAX_FINDING_LENGTH } from "./limits.ts";
import type { Finding, Report } from "./report.ts";
import { type ShownFinding, showFindings } from "./shown-finding.ts";

/** Options of {@link renderReport}. */
export interface RenderOptions {
  /** Colours for `text`. Default: no colours. */
  readonly paint?: Paint;
  /** Whether findings of any length are shown completely, in every format except `github`, whose annotations GitHub cuts. Default `false`. */
  readonly full?: boolean;
}

/**
 * Writes a report in one of the seven formats, ending with a line feed.
 *
 * Strings of unknown origin are escaped: no output of any format contains a terminal escape, a control character, a
 * bidirectional override or markup of such a string. Every part in which two values differ is shown. A finding that is
 * too long for a format says how much of it is not shown, and where that text is.
 *
 * @example
 * ```ts
 * import { type Report, renderReport } from "@agentprint/report";
 *
 * const report: Report = {
 *   command: "agentprint check",
 *   title: "agentprint check",
 *   summary: "nothing drifted",
 *   outcome: "same",
 *   checked: ["files"],
 *   findings: [],
 *   rules: {},
 *   data: {},
 * };
 * renderReport(report, "text"); // "agentprint check: nothing drifted\n"
 * ```
 */
export function renderReport(report: Report, format: ReportFormat, options: RenderOptions = {}): string {
  if (format === "json") return renderJson(report);
  const findings = shownFindings(report, format, options);
  switch (format) {
    case "text":
      return renderText(report, findings, options.paint);
    case "markdown":
      return renderMarkdown(report, findings);
    case "sarif":
      return renderSarif(report, findings);
    case "junit":
      return renderJunit(report, findings);
    case "github":
      return renderGithub(report, findings);
    case "gitlab":
      return renderGitlab(findings);
  }
}

/**
 * The findings that {@link renderReport} does not show completely, so that a reader cannot approve them.
 *
 * @example
 * ```ts
 * import { cutFindings, type Report } from "@agentprint/report";
 *
 * const text = "Reads a file. ".repeat(2000);
 * const report: Report = {
 *   command: "agentprint check",
 *   title: "agentprint check",
 *   summary: "files drifted",
 *   outcome: "drift",
 *   checked: ["files"],
 *   findings: [{ rule: "mcp/item-added", level: "error", message: "tool added", place: { subject: "files" }, after: text }],
 *   rules: {},
 *   data: {},
 * };
 * cutFindings(report, "text").length; // 1
 * cutFindings(report, "text", { full: true }).length; // 0
 * ```
 */
export function cutFindings(
  report: Report,
  format: ReportFormat,
  options: Pick<RenderOptions, "full"> = {},
): Finding[] {
  if (format === "json") return [];
  return shownFindings(report, format, options).flatMap(({ finding, isWhole }) => (isWhole ? [] : [finding]));
}

function shownFindings(report: Report, format: ReportFormat, { full = false }: RenderOptions): ShownFinding[] {
  if (format === "github") return showFindings(report.findings, MAX_ANNOTATION_LENGTH);
  return showFindings(report.findings, full || format === "sarif" ? Number.POSITIVE_INFINITY : MAX_FINDING_LENGTH);
}
