import { canonicalize, escapeJsonText } from "@agentprint/canonical-json";
import type { JudgedReport } from "@agentprint/findings";

/** The version of the published JSON Schema for a JSON report. */
const REPORT_VERSION = 1;

/**
 * Renders the report as one line of canonical JSON that is valid under `schema/report-v1.schema.json`. The members of
 * `data` are on the same level as the members that every report has, which take precedence.
 */
export function renderJson({ command, title, summary, outcome, change, findings, rules, data }: JudgedReport): string {
  const document = {
    ...data,
    reportVersion: REPORT_VERSION,
    command,
    title,
    summary,
    outcome,
    ...(change && { change }),
    findings: findings.map((finding) => {
      const helpUri = rules[finding.rule]?.helpUri;
      return helpUri === undefined ? finding : { ...finding, helpUri };
    }),
  };
  return `${escapeJsonText(canonicalize(document, { profile: "ecmascript" }))}\n`;
}
