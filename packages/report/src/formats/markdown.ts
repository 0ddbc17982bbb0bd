import type { Report } from "@agentprint/findings";
import { showText } from "../characters/show-text.ts";
import { HIGHEST_FIRST, isNumeric, serverTable } from "../server-table.ts";
import type { ShownFinding } from "../shown-finding.ts";
import { blocksOf, type ShownBlock, sectionsOf } from "../subject-names.ts";
import { code, prose } from "./markdown-text.ts";

/** A report with more changes than this is folded, block by block. */
const MAX_OPEN = 10;

/** Renders GitHub-flavoured Markdown for a job summary or a pull request comment: a section for each server or subject. */
export function renderMarkdown(report: Report, findings: readonly ShownFinding[], isSummary: boolean): string {
  const table = serverTable(report);
  const blocks = [
    `## ${prose(showText(report.title))}`,
    prose(showText(report.summary)),
    ...(report.change ?? []).map((sentence) => prose(showText(sentence))),
    ...(table === undefined ? [] : [markdownTable(table)]),
    ...(isSummary ? [] : blocksOf(findings).flatMap((block) => section(report, block, findings.length > MAX_OPEN))),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/**
 * Returns the report with as many findings as fit, and a sentence that states how many are omitted. The least important
 * findings are omitted first, in all sections.
 *
 * @param maxBytes The maximum number of bytes in the text, in UTF-8
 */
export function renderMarkdownWithin(report: Report, findings: readonly ShownFinding[], maxBytes: number): string {
  const byLevel = HIGHEST_FIRST.flatMap((level) => findings.filter(({ finding }) => finding.level === level));
  const render = (count: number): string => {
    const kept = new Set(byLevel.slice(0, count));
    const left = findings.length - count;
    const missing = `${left} of ${findings.length} findings do not fit here, the least important ones: the JSON report has all of them`;
    const change = left === 0 ? report.change : [...(report.change ?? []), missing];
    return renderMarkdown(
      { ...report, ...(change && { change }) },
      findings.filter((each) => kept.has(each)),
      false,
    );
  };
  const fits = (count: number): boolean => new TextEncoder().encode(render(count)).length <= maxBytes;
  if (fits(findings.length)) return render(findings.length);
  let [low, high] = [0, findings.length];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return render(low);
}

/**
 * Renders a section. The HTML that folds it contains no text of unknown origin and ends with blank lines, so that the
 * rest is read as Markdown.
 */
function section({ servers = [] }: Report, { name, entries }: ShownBlock, isFolded: boolean): string[] {
  const event = servers.flatMap((each) =>
    each.event !== undefined && showText(each.server) === name ? [prose(showText(each.event))] : [],
  );
  const items = sectionsOf({ name, entries }).flatMap(({ title, entries: own }) => [
    ...(title === undefined ? [] : [`#### ${prose(title)}`]),
    own.map(item).join("\n"),
  ]);
  if (!isFolded) return [`### ${code(name)}`, ...event, ...items];
  const levels = (["error", "warning", "note"] as const).flatMap((level) => {
    const count = entries.filter(({ shown }) => shown.finding.level === level).length;
    return count === 0 ? [] : [`${count} ${level}${count === 1 ? "" : "s"}`];
  });
  return [`### ${code(name)}`, ...event, `<details><summary>${levels.join(", ")}</summary>`, ...items, "</details>"];
}

function item({ shown, names }: ShownBlock["entries"][number]): string {
  const { finding, message, pointer, values, notes } = shown;
  const who = names.length === 0 ? "" : ` ${names.map(code).join(", ")}:`;
  const lines = [
    `- **${finding.level}**${who} ${prose(message)}${pointer === undefined ? "" : ` at ${code(pointer)}`}`,
  ];
  if (values.length > 0) {
    // Every line of the block starts with its sign, so no value can close the fence.
    lines.push("  ```diff", ...values.map(({ sign, text }) => `  ${sign} ${text}`), "  ```");
  }
  for (const { text, subjects } of notes) {
    lines.push(`  ${subjects === undefined ? "" : `${subjects.map(code).join(", ")}: `}${prose(text)}`);
  }
  return lines.join("\n");
}

function markdownTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(head),
    line(head.map((_, column) => (isNumeric(column) ? "--:" : "---"))),
    ...rows.map(([server = "", ...cells]) => line([code(server).replaceAll("|", "\\|"), ...cells])),
  ].join("\n");
}
