import { manifestRuleId } from "@agentprint/domain-reports/manifest";
import type { ManifestIssue, ManifestWarning, ParsedManifest } from "@agentprint/manifest";
import type { Finding, Report } from "@agentprint/report";
import { ISSUE_RULES, WARNING_RULES } from "../rules/manifest-rules.ts";
import { count } from "./count.ts";

/** The report on one manifest. */
export function validationReport(file: string, parsed: ParsedManifest): Report {
  const findings = parsed.ok
    ? parsed.warnings.map((warning) => finding(file, warning))
    : parsed.issues.map((issue) => finding(file, issue));
  return {
    command: "agentprint manifest validate",
    title: "agentprint manifest validate",
    summary: parsed.ok ? `valid, ${count(findings.length, "warning")}` : `refused, ${count(findings.length, "issue")}`,
    outcome: parsed.ok ? "same" : "drift",
    findings,
    rules: RULES,
    checked: [file],
    data: parsed.ok ? { valid: true, warnings: parsed.warnings } : { valid: false, issues: parsed.issues },
  };
}

const RULES = { ...ISSUE_RULES, ...WARNING_RULES };

function finding(file: string, { code, message, path, line, column }: ManifestIssue | ManifestWarning): Finding {
  const rule = manifestRuleId(code);
  const location = { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  return {
    rule,
    level: RULES[rule].level,
    message: `${message} (${code})`,
    place: { subject: file, pointer: path, location },
  };
}
