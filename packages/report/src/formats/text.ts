import { changedValues, findingsBySubject } from "../changed-values.ts";
import { excerptText } from "../excerpt.ts";
import type { Finding, FindingLevel, Report } from "../report.ts";

/** What colours a text report: one function for each role, each returning its argument wrapped in escape sequences. */
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

/** The report to be read at a glance: one block for each subject, old and new values below each other, the result last. */
export function renderText(report: Report, paint: Paint = PLAIN): string {
  const blocks = [...findingsBySubject(report.findings)].map(([subject, findings]) =>
    [paint.subject(excerptText(subject)), ...subjectLines(findings, paint)].join("\n"),
  );
  const headline = `${excerptText(report.title)}: ${excerptText(report.summary)}`;
  return `${[...blocks, paint[HEADLINE[report.outcome]](headline)].join("\n\n")}\n`;
}

function subjectLines(findings: readonly Finding[], paint: Paint): string[] {
  return findings.flatMap((finding, index) => {
    const pointer = finding.pointer ? ` at ${excerptText(finding.pointer)}` : "";
    const lines = [`  ${paint[finding.level](finding.level)}  ${excerptText(finding.message)}${pointer}`];
    for (const { sign, text } of changedValues(finding)) {
      lines.push(`    ${paint[sign === "-" ? "before" : "after"](`${sign} ${text}`)}`);
    }
    if (finding.note !== undefined && finding.note !== findings[index + 1]?.note) {
      lines.push(`    ${paint.dim(excerptText(finding.note))}`);
    }
    return lines;
  });
}
