import { renderGithub } from "./formats/github.ts";
import { renderJson } from "./formats/json.ts";
import { renderJunit } from "./formats/junit.ts";
import { renderMarkdown } from "./formats/markdown.ts";
import { renderSarif } from "./formats/sarif.ts";
import { type Paint, renderText } from "./formats/text.ts";
import type { Report } from "./report.ts";

/** The formats that a report can be written in. */
export const FORMATS: readonly ["text", "json", "markdown", "sarif", "junit", "github"] = Object.freeze([
  "text",
  "json",
  "markdown",
  "sarif",
  "junit",
  "github",
] as const);

/** One of {@link FORMATS}. */
export type ReportFormat = (typeof FORMATS)[number];

/** How {@link renderReport} writes. */
export interface RenderOptions {
  /** Colours for `text`; without it the text is plain. */
  readonly paint?: Paint;
}

/**
 * Writes a report in one of the six formats, ending with a line feed.
 *
 * Strings of unknown origin come out escaped: no format lets a terminal escape, a control character, a
 * bidirectional override or markup through.
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
  switch (format) {
    case "text":
      return renderText(report, options.paint);
    case "json":
      return renderJson(report);
    case "markdown":
      return renderMarkdown(report);
    case "sarif":
      return renderSarif(report);
    case "junit":
      return renderJunit(report);
    case "github":
      return renderGithub(report);
  }
}
