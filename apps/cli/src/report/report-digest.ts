import { hashCanonical, parseJson } from "@agentprint/canonical-json";
import type { JudgedReport } from "@agentprint/findings";
import { renderReport } from "@agentprint/report";

/** A report whose JSON form names the digest of everything else in it. */
export function withReportDigest(report: JudgedReport): JudgedReport {
  return { ...report, data: { ...report.data, reportDigest: reportDigest(parsed(renderReport(report, "json"))) } };
}

/** The members of a report, whose texts may be any that a server says. */
function parsed(text: string): object {
  return parseJson(text, { tolerate: () => true }) as object;
}

/** The digest of a JSON report: over the canonical JSON of all its members but the digest itself. */
export function reportDigest(document: object): string {
  const { reportDigest: _, ...covered } = document as { readonly reportDigest?: unknown };
  return hashCanonical(covered, { profile: "ecmascript" });
}
