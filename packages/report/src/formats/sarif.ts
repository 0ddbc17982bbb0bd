import { hashCanonical } from "@agentprint/canonical-json";
import type { Log, Notification, ReportingDescriptor, Result, Location as SarifLocation } from "sarif";
import { changedValues } from "../changed-values.ts";
import { escapeJsonText } from "../escape-text.ts";
import { excerptText } from "../excerpt.ts";
import { exitCode, type Finding, type Report } from "../report.ts";

/**
 * SARIF 2.1.0. A finding is a result; what could not be read is a tool execution notification of an unsuccessful
 * invocation (§3.20.21), which no consumer takes for a clean run.
 */
export function renderSarif(report: Report): string {
  const rules = Object.entries(report.rules).map(
    ([id, rule]): ReportingDescriptor => ({
      id: excerptText(id),
      shortDescription: { text: excerptText(rule.summary) },
      help: { text: excerptText(rule.help) },
    }),
  );
  const log: Log = {
    version: "2.1.0",
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    runs: [
      {
        tool: { driver: { name: "agentprint", rules } },
        columnKind: "utf16CodeUnits",
        invocations: [
          {
            executionSuccessful: report.outcome !== "unknown",
            exitCode: exitCode(report),
            toolExecutionNotifications: report.findings.filter(({ couldNotTell }) => couldNotTell).map(notification),
          },
        ],
        results: report.findings.filter(({ couldNotTell }) => !couldNotTell).map(result),
      },
    ],
  };
  return `${escapeJsonText(JSON.stringify(log, null, 2))}\n`;
}

function result(finding: Finding): Result {
  return {
    ruleId: excerptText(finding.ruleId),
    level: finding.level,
    message: { text: messageText(finding) },
    locations: [location(finding)],
    partialFingerprints: { "agentprintFinding/v1": fingerprint(finding) },
  };
}

function notification(finding: Finding): Notification {
  return { level: finding.level, message: { text: messageText(finding) }, locations: [location(finding)] };
}

function messageText(finding: Finding): string {
  const pointer = finding.pointer ? ` at ${excerptText(finding.pointer)}` : "";
  return [
    `${excerptText(finding.subject)}: ${excerptText(finding.message)}${pointer}`,
    ...changedValues(finding).map(({ sign, text }) => `${sign} ${text}`),
    ...(finding.note === undefined ? [] : [excerptText(finding.note)]),
  ]
    .join("\n")
    .replaceAll("](", "]\\("); // SARIF §3.11.6: [text](destination) would be a link
}

function location(finding: Finding): SarifLocation {
  const logicalLocations = [{ fullyQualifiedName: excerptText(`${finding.subject}${finding.pointer ?? ""}`) }];
  if (finding.location === undefined) return { logicalLocations };
  const { file, line, column } = finding.location;
  const uri = file.toWellFormed().split("/").map(encodeURIComponent).join("/");
  const region = line === undefined ? {} : { region: { startLine: line, ...(column && { startColumn: column }) } };
  return { physicalLocation: { artifactLocation: { uri, uriBaseId: "%SRCROOT%" }, ...region }, logicalLocations };
}

/** Stable over runs: the same place under the same rule, whatever the values. */
function fingerprint({ ruleId, subject, pointer }: Finding): string {
  return hashCanonical([ruleId, subject, pointer ?? null], { profile: "ecmascript" });
}
