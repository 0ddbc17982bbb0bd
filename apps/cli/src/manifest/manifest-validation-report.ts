import { count, type Report } from "@agentprint/findings";
import type { ParsedManifest } from "@agentprint/manifest";
import { ISSUE_RULES, validationFindings, WARNING_RULES } from "@agentprint/manifest/rules";

/** The report on one manifest. */
export function validationReport(file: string, parsed: ParsedManifest): Report {
  const findings = validationFindings(file, parsed);
  return {
    command: "agentprint manifest validate",
    title: "agentprint manifest validate",
    summary: parsed.ok ? `valid, ${count(findings.length, "warning")}` : `refused, ${count(findings.length, "issue")}`,
    findings,
    rules: { ...ISSUE_RULES, ...WARNING_RULES },
    checked: [file],
    data: parsed.ok ? { valid: true, warnings: parsed.warnings } : { valid: false, issues: parsed.issues },
  };
}
