import type { ManifestIssue, ManifestWarning, ParsedManifest } from "@agentprint/manifest";
import type { Finding, FindingLevel, Report } from "@agentprint/report";
import { ISSUE_RULES, WARNING_RULES } from "./issue-rules.ts";

/** The report on one manifest. */
export function validationReport(file: string, parsed: ParsedManifest): Report {
  const findings = parsed.ok
    ? parsed.warnings.map((warning) => finding(file, warning, "warning"))
    : parsed.issues.map((issue) => finding(file, issue, "error"));
  return {
    command: "agentprint manifest validate",
    title: "agentprint manifest validate",
    summary: parsed.ok ? `valid, ${count(findings.length, "warning")}` : `refused, ${count(findings.length, "issue")}`,
    outcome: parsed.ok ? "same" : "drift",
    findings,
    rules: { ...ISSUE_RULES, ...WARNING_RULES },
    checked: [file],
    data: parsed.ok ? { valid: true, warnings: parsed.warnings } : { valid: false, issues: parsed.issues },
  };
}

function finding(
  file: string,
  { code, message, path, line, column }: ManifestIssue | ManifestWarning,
  level: FindingLevel,
): Finding {
  const location = { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  return { ruleId: code, level, message: `${message} (${code})`, subject: file, pointer: path, location };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
