import { escapeText } from "@agentprint/canonical-json";
import type { FindingLevel, Report } from "../report.ts";
import { findingsBySubject, type ShownFinding } from "../shown-finding.ts";

/** The colours of a text report: for each role a function that returns its argument between escape sequences. */
export type Paint = Readonly<
  Record<FindingLevel | "same" | "subject" | "before" | "after" | "dim", (text: string) => string>
>;

const plain = (text: string): string => text;
const PLAIN: Paint = {
  error: plain,
  warning: plain,
  note: plain,
  same: plain,
  subject: plain,
  before: plain,
  after: plain,
  dim: plain,
};
const HEADLINE = { same: "same", drift: "error", unknown: "error" } as const;
const VALUE = { "-": "before", "+": "after", "!": "warning" } as const;

/** The report for a terminal: one block for each subject, the values before and after below each other, the result last. */
export function renderText(report: Report, findings: readonly ShownFinding[], paint: Paint = PLAIN): string {
  const blocks = [...findingsBySubject(findings).values()].map((group) =>
    [paint.subject(group[0].subject), ...subjectLines(group, paint)].join("\n"),
  );
  const headline = `${escapeText(report.title)}: ${escapeText(report.summary)}`;
  return `${[...blocks, paint[HEADLINE[report.outcome]](headline)].join("\n\n")}\n`;
}

function subjectLines(findings: readonly ShownFinding[], paint: Paint): string[] {
  return findings.flatMap(({ finding: { level, note: rawNote }, message, pointer, values, note }, index) => {
    const lines = [`  ${paint[level](level)}  ${message}${pointer === undefined ? "" : ` at ${pointer}`}`];
    for (const { sign, text } of values) lines.push(`    ${paint[VALUE[sign]](`${sign} ${text}`)}`);
    if (note !== undefined && rawNote !== findings[index + 1]?.finding.note) lines.push(`    ${paint.dim(note)}`);
    return lines;
  });
}
