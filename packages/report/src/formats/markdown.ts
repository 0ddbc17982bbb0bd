import { changedValues, findingsBySubject } from "../changed-values.ts";
import { excerptText } from "../excerpt.ts";
import type { Finding, Report } from "../report.ts";

/** GitHub-flavoured Markdown for a job summary or a pull request comment. */
export function renderMarkdown(report: Report): string {
  const blocks = [`## ${prose(report.title)}`, prose(report.summary)];
  for (const [subject, findings] of findingsBySubject(report.findings)) {
    blocks.push(`### ${code(subject)}`, findings.map(item).join("\n"));
  }
  return `${blocks.join("\n\n")}\n`;
}

function item(finding: Finding): string {
  const pointer = finding.pointer ? ` at ${code(finding.pointer)}` : "";
  const lines = [`- **${finding.level}** ${prose(finding.message)}${pointer}`];
  const values = changedValues(finding);
  if (values.length > 0) {
    // Every line of the block starts with its sign, so no value can close the fence.
    lines.push("  ```diff", ...values.map(({ sign, text }) => `  ${sign} ${text}`), "  ```");
  }
  if (finding.note !== undefined) lines.push(`  ${prose(finding.note)}`);
  return lines.join("\n");
}

/** Text in which nothing is markup, not even by indentation; the comment keeps `@name` from notifying somebody. */
function prose(text: string): string {
  return excerptText(text)
    .trim()
    .replace(/[!-/:-?[-`{-~]/g, "\\$&")
    .replaceAll("@", "@<!-- -->");
}

/** Inline code whose delimiter is longer than any run of backticks inside. */
function code(text: string): string {
  const shown = excerptText(text);
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${longest > 0 || shown.trim() !== shown ? ` ${shown} ` : shown}${fence}`;
}
