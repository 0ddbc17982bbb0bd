import type { Finding, Report } from "@agentprint/findings";
import { CONFIG_RULES } from "../rules/config-rules.ts";
import type { Agreement } from "./compare-configs.ts";

/** Whether a finding says how a configuration agrees with the lock. */
export function isAboutConfig({ rule }: Finding): boolean {
  return Object.hasOwn(CONFIG_RULES, rule);
}

/** A report on servers with what was found in the configurations of the project, first. */
export function withAgreement(report: Report, agreement: Agreement | undefined): Report {
  if (agreement === undefined || agreement.findings.length === 0) return report;
  const { findings } = agreement;
  return {
    ...report,
    // A check that started no server because no launch agrees is still complete.
    couldNotTell: undefined,
    summary: summaryOf(report, findings),
    findings: [...findings, ...report.findings],
    rules: { ...report.rules, ...CONFIG_RULES },
    checked: [...new Set([...findings.map(({ place }) => place.subject), ...report.checked])],
  };
}

function summaryOf({ summary, servers }: Report, findings: readonly Finding[]): string {
  const differing = findings.filter(({ level, couldNotTell }) => level !== "note" && !couldNotTell);
  const words = `configurations and lock differ in ${differing.length === 1 ? "1 entry" : `${differing.length} entries`}`;
  if (differing.length === 0) return summary;
  return servers?.length === 0 ? words : `${words}; ${summary}`;
}
