import { stat } from "node:fs/promises";
import { hashCanonical, parseJson } from "@agentprint/canonical-json";
import { EXIT, type ExitCode, type JudgedReport, type Report } from "@agentprint/findings";
import {
  type CompareWords,
  cutFindings,
  type Paint,
  type RenderOptions,
  type ReportFormat,
  renderReport,
} from "@agentprint/report";
import { realPathOf, replaceFile } from "../files/replace-file.ts";
import type { Context, Output } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { ruleAddress } from "../terminal/page-address.ts";
import { columnsOf, wrapLines } from "../terminal/wrap-lines.ts";
import { fileOfReport, withoutFilesOutside, withPathsOfRepository } from "./file-of-report.ts";
import type { ReportOptions } from "./report-options.ts";

/** The size limit of an additional Markdown report, such as a job summary: GitHub shows none above 1 MiB. */
const MAX_SUMMARY_BYTES = 1_000_000;

/** Returns whether a report, as {@link writeReport} writes it, shortens a change of a server or of its items. */
export async function isCutShort(report: JudgedReport, server: string, options: ReportOptions): Promise<boolean> {
  const cut = cutFindings(report, options.format, { ...extentOf(options), ...(await loadCompareWords(report)) });
  return cut.some(({ place: { subject } }) => subject === server || subject.startsWith(`${server} › `));
}

function extentOf({ output, full, summary = false, brief = false }: ReportOptions): RenderOptions {
  return { full: full || output !== undefined, summary, brief };
}

/**
 * Writes a report to the output and in the format of the options, and into each additional file; returns the exit code
 * of its outcome.
 *
 * @param options `read`: further files that the command read
 * @param files The files that the report is about, for the formats in which each finding names a file; by default the
 * lock
 * @throws {@link CliError} `usage` if a summary is requested in a format that has none, or if a report would replace a
 * file that the command reads, or another report
 */
export async function writeReport(
  context: Context,
  report: JudgedReport,
  options: ReportOptions & { readonly lock?: string; readonly read?: readonly string[] },
  files: readonly string[] = [],
): Promise<ExitCode> {
  const { format, output, summary, also = [], lock, read = [] } = options;
  if (summary && format !== "text" && format !== "markdown") {
    throw new CliError("usage", `${format} has no summary`, {
      where: "--summary",
      expected: "--format text or markdown",
    });
  }
  const judged = [...files, ...(lock === undefined ? [] : [lock])];
  await refuseSameFiles(context, [...judged, ...read], [output ?? [], also.map(({ file }) => file)].flat());
  const { hidden, stdout } = context;
  const isJson = format === "json" || also.some((further) => further.format === "json");
  const replaced = withAddresses(hidden.replaceIn(withPathsOfRepository(context, report)));
  const shown = isJson && report.servers !== undefined ? withReportDigest(replaced) : replaced;
  const columns = columnsOf(context, stdout);
  const render: RenderOptions = {
    ...(columns !== undefined && { columns }),
    ...extentOf(options),
    ...(await loadCompareWords(shown)),
    ...(summary && { widthOf: (await import("string-width")).default }),
    file: fileOfReport(context, judged),
  };
  const inFormat = (wanted: ReportFormat): JudgedReport =>
    wanted === "sarif" || wanted === "gitlab" ? withReasons(withoutFilesOutside(context, shown)) : shown;
  if (output !== undefined) {
    await replaceFile(context, output, renderReport(inFormat(format), format, render));
  } else {
    const text = renderReport(inFormat(format), format, { ...render, paint: reportPaint(context, stdout) });
    hidden.writeReplaced(stdout, format === "text" ? await wrapLines(text, columns) : text);
  }
  for (const further of also) {
    await replaceFile(
      context,
      further.file,
      renderReport(inFormat(further.format), further.format, {
        ...render,
        summary: false,
        full: true,
        maxBytes: MAX_SUMMARY_BYTES,
      }),
    );
  }
  return EXIT[report.outcome];
}

/** @throws {@link CliError} `usage` if a file that is written is also read, or written twice */
async function refuseSameFiles(
  context: Pick<Context, "pathOf">,
  read: readonly string[],
  written: readonly string[],
): Promise<void> {
  const taken = new Set(await Promise.all(read.map((file) => realPathOf(context, file))));
  for (const file of written) {
    const path = await realPathOf(context, file);
    if (taken.has(path)) {
      throw new CliError("usage", `the report would replace ${file}`, {
        where: file,
        expected: "for each report a file of its own, which the command does not read",
      });
    }
    const found = await stat(path).catch(() => undefined);
    // A pipe or a device takes any number of reports.
    if (found?.isFile() ?? true) taken.add(path);
  }
}

/** Returns a report in which each rule has a reason, which GitHub requires: its summary if it has none. */
function withReasons(report: JudgedReport): JudgedReport {
  const rules = Object.entries(report.rules).map(([id, rule]) => [id, { ...rule, why: rule.why ?? rule.summary }]);
  return { ...report, rules: Object.fromEntries(rules) };
}

/** Returns a report whose rules contain the addresses of their documentation. */
function withAddresses(report: JudgedReport): JudgedReport {
  const rules = Object.entries(report.rules).map(([id, rule]) => {
    const helpUri = ruleAddress(id);
    return [id, helpUri === undefined ? rule : { ...rule, helpUri }] as const;
  });
  return { ...report, rules: Object.fromEntries(rules) };
}

/** Returns the colours of a report on an output. */
export function reportPaint(context: Context, output: Output): Paint {
  const { bold, cyan, dim, green, red, yellow } = context.colorsOf(output);
  return { error: red, warning: yellow, note: cyan, same: green, subject: bold, before: red, after: green, dim };
}

/** Loads the word-by-word comparison; returns an empty object if the report has no two texts to compare. */
export async function loadCompareWords({ findings }: Report): Promise<{ compareWords?: CompareWords }> {
  if (!findings.some(({ before, after }) => before !== undefined && after !== undefined)) return {};
  const { diffArrays } = await import("diff/lib/diff/array.js");
  return {
    compareWords: (before, after, maxEdits) => diffArrays([...before], [...after], { maxEditLength: maxEdits }),
  };
}

/** Returns a report whose JSON form contains the digest of all its other members. */
function withReportDigest(report: JudgedReport): JudgedReport {
  return { ...report, data: { ...report.data, reportDigest: reportDigest(parsed(renderReport(report, "json"))) } };
}

/** Parses the members of a report, whose texts may contain anything that a server sends. */
function parsed(text: string): object {
  return parseJson(text, { tolerate: () => true }) as object;
}

/** Returns the digest of a JSON report: over the canonical JSON of all its members except the digest itself. */
export function reportDigest(document: object): string {
  const { reportDigest: _, ...covered } = document as { readonly reportDigest?: unknown };
  return hashCanonical(covered, { profile: "ecmascript" });
}
