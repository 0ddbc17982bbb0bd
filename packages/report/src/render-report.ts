import type { Finding, JudgedReport } from "@agentprint/findings";
import { type CompareWords, TextComparer } from "./compare-words.ts";
import { annotated, isWholeAnnotation, renderGithub } from "./formats/github.ts";
import { renderGitlab } from "./formats/gitlab.ts";
import { renderJson } from "./formats/json.ts";
import { renderJunit } from "./formats/junit.ts";
import { renderMarkdown, renderMarkdownWithin } from "./formats/markdown.ts";
import type { Paint } from "./formats/paint.ts";
import { renderSarif } from "./formats/sarif.ts";
import { renderBriefText, renderText, renderTextSummary } from "./formats/text.ts";
import type { ReportFormat } from "./formats.ts";
import { type FindingGroup, groupFindings } from "./group-findings.ts";
import {
  BRIEF_LENGTHS,
  DEFAULT_COLUMNS,
  MAX_ANNOTATION_LENGTH,
  MAX_BRIEF_ROWS,
  MAX_FINDING_LENGTH,
  MAX_RAGGED,
} from "./limits.ts";
import { withoutBracketedCommands, withoutRunnerCommands } from "./runner-commands.ts";
import { type ShownFinding, showFindings } from "./shown-finding.ts";

/** Options of {@link renderReport}. */
export interface RenderOptions {
  /** Colours for `text`. Default: no colours. */
  readonly paint?: Paint;
  /** Whether findings of any length are shown completely, in every format except `github`, whose annotations GitHub cuts. Default `false`. */
  readonly full?: boolean;
  /**
   * Whether `text` begins with a paragraph for all names with the same changes, shortening values so that these
   * paragraphs stay within 60 rows, if possible. Shortened values appear below as they would without this option.
   * Default `false`.
   */
  readonly brief?: boolean;
  /** The number of columns of the terminal, by which a brief `text` counts its rows. Default: 100. */
  readonly columns?: number;
  /** Whether `text` and `markdown` show a table of the servers instead of the findings. Default `false`. */
  readonly summary?: boolean;
  /**
   * Returns the number of terminal columns that text takes, for the table. Default: the number of UTF-16 code units.
   */
  readonly widthOf?: (text: string) => number;
  /**
   * The maximum size of `markdown`, in bytes of UTF-8. If there is too little room, the least important findings are
   * left out, and a sentence says how many. Default: no limit.
   */
  readonly maxBytes?: number;
  /**
   * A file in the repository, for `sarif` and `gitlab`: the place of a finding that is not about a file. Hosting
   * services refuse a result without a file. Default: the file of the first finding that has one.
   */
  readonly file?: string;
  /** Compares texts word by word; without it, texts are shown from the first difference to the last. */
  readonly compareWords?: CompareWords;
}

/**
 * Writes a report in one of the seven formats, ending with a line feed.
 *
 * Strings of unknown origin are escaped: no output in any format contains a terminal escape, a control character, a
 * bidirectional override or markup from such a string, and no line is a command to a runner that reads its log, except
 * for the annotations of `github`. Every part in which two values differ is shown. A finding that is too long for a
 * format states how long the omitted text is and where it is.
 *
 * @example
 * ```ts
 * import type { JudgedReport } from "@agentprint/findings";
 * import { renderReport } from "@agentprint/report";
 *
 * const report: JudgedReport = {
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
export function renderReport(report: JudgedReport, format: ReportFormat, options: RenderOptions = {}): string {
  const text = renderFormat(report, format, options);
  return format === "github" ? withoutBracketedCommands(text) : withoutRunnerCommands(text);
}

function renderFormat(report: JudgedReport, format: ReportFormat, options: RenderOptions): string {
  if (format === "json") return renderJson(report);
  if (format === "text" && options.summary) return renderTextSummary(report, options.widthOf, options.paint);
  if (format === "text" && options.brief) return renderBriefly(report, options);
  const findings = shownFindings(report, format, options);
  switch (format) {
    case "text":
      return renderText(report, findings, options.paint);
    case "markdown":
      return renderMarkdownIn(report, findings, options);
    case "sarif":
      return renderSarif(report, findings, options.file);
    case "junit":
      return renderJunit(report, findings);
    case "github":
      return renderGithub(report, findings);
    case "gitlab":
      return renderGitlab(report, findings, options.file);
  }
}

function renderMarkdownIn(report: JudgedReport, findings: readonly ShownFinding[], options: RenderOptions): string {
  const { summary = false, maxBytes = Number.POSITIVE_INFINITY } = options;
  const whole = renderMarkdown(report, findings, summary);
  // In UTF-8 a UTF-16 code unit takes at most three bytes.
  if (summary || whole.length * 3 <= maxBytes || new TextEncoder().encode(whole).length <= maxBytes) return whole;
  return renderMarkdownWithin(report, shownFindings(report, "markdown", { ...options, full: false }), maxBytes);
}

/**
 * Returns the findings that {@link renderReport} does not show completely, so that a reader cannot approve them.
 *
 * @example
 * ```ts
 * import type { JudgedReport } from "@agentprint/findings";
 * import { cutFindings } from "@agentprint/report";
 *
 * const text = "Reads a file. ".repeat(2000);
 * const report: JudgedReport = {
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
  report: JudgedReport,
  format: ReportFormat,
  options: Pick<RenderOptions, "full" | "summary" | "compareWords"> = {},
): Finding[] {
  if (format === "json") return [];
  if (options.summary && (format === "text" || format === "markdown")) return [...report.findings];
  const shown = shownFindings(report, format, options);
  if (format !== "github") return shown.flatMap(({ group, isWhole }) => (isWhole ? [] : group));
  const annotations = new Set(annotated(report, shown).filter(isWholeAnnotation));
  return shown.flatMap((each) => (annotations.has(each) ? [] : each.group));
}

/** The formats that merge findings about the same change to several subjects. */
const GROUPED: ReadonlySet<ReportFormat> = new Set(["text", "markdown", "github"]);

function shownFindings(
  report: JudgedReport,
  format: Exclude<ReportFormat, "json">,
  options: RenderOptions,
): ShownFinding[] {
  const { findings } = report;
  const groups = GROUPED.has(format) ? groupFindings(findings) : findings.map((finding): FindingGroup => [finding]);
  return showFindings(groups, new TextComparer(options.compareWords), maxLengthOf(format, options));
}

/** Returns the report in few lines, with as much of each value as fits, followed by the shortened changes in full. */
function renderBriefly(report: JudgedReport, options: RenderOptions): string {
  const { compareWords, columns = DEFAULT_COLUMNS, paint } = options;
  const groups = groupFindings(report.findings);
  const comparer = new TextComparer(compareWords);
  const whole = showFindings(groups, comparer, maxLengthOf("text", options));
  const painted = paint && { paint };
  for (const maxBrief of BRIEF_LENGTHS) {
    const findings = showFindings(groups, comparer, MAX_FINDING_LENGTH, maxBrief);
    const { text, cut } = renderBriefText(report, findings);
    if (rowsOf(text, columns) > MAX_BRIEF_ROWS) continue;
    const inFull = whole.filter((_, index) => cut.has(findings[index] as ShownFinding));
    return renderBriefText(report, findings, { ...painted, inFull }).text;
  }
  const findings = showFindings(groups, comparer, MAX_FINDING_LENGTH, 0);
  return renderBriefText(report, findings, { ...painted, isDense: true, inFull: whole }).text;
}

/** Returns how many rows a text takes on a terminal; a row that is broken between words is not full. */
function rowsOf(text: string, columns: number): number {
  const width = Math.max(1, columns - MAX_RAGGED);
  return text.split("\n").reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / width)), 0);
}

function maxLengthOf(format: ReportFormat, { full = false }: RenderOptions): number {
  if (format === "github") return MAX_ANNOTATION_LENGTH;
  return full || format === "sarif" ? Number.POSITIVE_INFINITY : MAX_FINDING_LENGTH;
}
