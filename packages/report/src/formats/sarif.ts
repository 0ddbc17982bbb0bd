import { escapeJsonText, escapeText, hashCanonical } from "@agentprint/canonical-json";
import type { Finding, JudgedReport, Place } from "@agentprint/findings";
import { EXIT } from "@agentprint/findings";
import type { Log, Notification, ReportingDescriptor, Result, Location as SarifLocation } from "sarif";
import { findingLines, type ShownFinding } from "../shown-finding.ts";

/**
 * Renders SARIF 2.1.0. A finding becomes a result. A subject that could not be read becomes a tool execution
 * notification of an unsuccessful invocation (§3.20.21), so that no reader of the file counts the run as clean. A
 * message contains the parts in which the values differ, and the property bag contains the complete values.
 */
export function renderSarif(
  report: JudgedReport,
  findings: readonly ShownFinding[],
  file: string | undefined = fileOf(findings),
): string {
  const rules = Object.entries(report.rules).map(
    ([id, rule]): ReportingDescriptor => ({
      id: escapeText(id),
      shortDescription: { text: escapeText(rule.summary) },
      ...(rule.why !== undefined && { fullDescription: { text: escapeText(rule.why) } }),
      help: { text: escapeText(rule.help) },
      ...(rule.helpUri !== undefined && { helpUri: rule.helpUri }),
      defaultConfiguration: { level: rule.level },
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
            exitCode: EXIT[report.outcome],
            ...(report.change && { properties: { change: report.change.map(escapeText) } }),
            toolExecutionNotifications: findings
              .filter(({ finding }) => finding.couldNotTell)
              .map((shown) => notification(shown, file)),
          },
        ],
        results: findings.filter(({ finding }) => !finding.couldNotTell).map((shown) => result(shown, file)),
      },
    ],
  };
  return `${escapeJsonText(JSON.stringify(log, null, 2))}\n`;
}

function result(shown: ShownFinding, file: string | undefined): Result {
  const { finding } = shown;
  const { section, before, after } = finding;
  const properties = {
    ...(section !== undefined && { section: escapeText(section) }),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  };
  return {
    ruleId: escapeText(finding.rule),
    level: finding.level,
    message: { text: messageText(shown) },
    locations: [location(finding.place, file)],
    partialFingerprints: { "agentprintFinding/v1": fingerprint(finding) },
    ...(Object.keys(properties).length > 0 && { properties }),
  };
}

function notification(shown: ShownFinding, file: string | undefined): Notification {
  const { level, place } = shown.finding;
  return { level, message: { text: messageText(shown) }, locations: [location(place, file)] };
}

function messageText(shown: ShownFinding): string {
  const text = `${shown.subjects[0]}: ${findingLines(shown).join("\n")}`;
  return text.replaceAll("](", "]\\("); // SARIF §3.11.6: [text](destination) would be a link
}

/**
 * Returns a location. The location is physical if possible, because GitHub refuses the file if any result has no
 * physical location.
 */
function location({ subject, pointer, location: own }: Place, fallback: string | undefined): SarifLocation {
  const location: Place["location"] = own ?? (fallback === undefined ? undefined : { file: fallback, line: 1 });
  const logicalLocations = [{ fullyQualifiedName: escapeText(`${subject}${pointer ?? ""}`) }];
  if (location === undefined) return { logicalLocations };
  const { file, line, column } = location;
  const uri = file.toWellFormed().split("/").map(encodeURIComponent).join("/");
  const region = line === undefined ? {} : { region: { startLine: line, ...(column && { startColumn: column }) } };
  return { physicalLocation: { artifactLocation: { uri, uriBaseId: "%SRCROOT%" }, ...region }, logicalLocations };
}

/** Returns the file of the first finding that is about a file. */
export function fileOf(findings: readonly ShownFinding[]): string | undefined {
  return findings.find(({ finding }) => finding.place.location)?.finding.place.location?.file;
}

/** Returns an id for a finding that stays the same in several runs: its rule and place, without the values. */
function fingerprint({ rule, place }: Finding): string {
  return hashCanonical([rule, place.subject, place.pointer ?? null], { profile: "ecmascript" });
}
