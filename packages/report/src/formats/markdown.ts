import { escapeText } from "@agentprint/canonical-json";
import type { Report } from "../report.ts";
import { findingsBySubject, type ShownFinding } from "../shown-finding.ts";

/** GitHub-flavoured Markdown for a job summary or a pull request comment. */
export function renderMarkdown(report: Report, findings: readonly ShownFinding[]): string {
  const blocks = [`## ${prose(escapeText(report.title))}`, prose(escapeText(report.summary))];
  for (const group of findingsBySubject(findings).values()) {
    blocks.push(`### ${code(group[0].subject)}`, group.map(item).join("\n"));
  }
  return `${blocks.join("\n\n")}\n`;
}

function item({ finding, message, pointer, values, note }: ShownFinding): string {
  const lines = [`- **${finding.level}** ${prose(message)}${pointer === undefined ? "" : ` at ${code(pointer)}`}`];
  if (values.length > 0) {
    // Every line of the block starts with its sign, so no value can close the fence.
    lines.push("  ```diff", ...values.map(({ sign, text }) => `  ${sign} ${text}`), "  ```");
  }
  if (note !== undefined) lines.push(`  ${prose(note)}`);
  return lines.join("\n");
}

/** Escaped text in which nothing is markup, not even by indentation; the comment keeps `@name` from notifying somebody. */
function prose(text: string): string {
  return text
    .trim()
    .replace(/[!-/:-?[-`{-~]/g, "\\$&")
    .replaceAll("@", "@<!-- -->");
}

/** Inline code whose delimiter is longer than any run of backticks inside. */
function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${longest > 0 || text.trim() !== text ? ` ${text} ` : text}${fence}`;
}
