import { escapeJsonText, escapeText, hashCanonical } from "@agentprint/canonical-json";
import type { Report } from "@agentprint/findings";
import { showText } from "../characters/show-text.ts";
import { findingLines, type ShownFinding } from "../shown-finding.ts";
import { fileOf } from "./sarif.ts";

/** A violation in a GitLab Code Quality report. */
interface Violation {
  readonly description: string;
  readonly check_name: string;
  /** The same in two reports if and only if they report the same finding. */
  readonly fingerprint: string;
  readonly severity: "info" | "minor" | "major" | "critical" | "blocker";
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

/** The file for a sentence about a change if nothing names a file. */
const LOCK = "agentprint.lock";

const SEVERITY = { error: "critical", warning: "minor", note: "info" } as const;

/**
 * Renders a GitLab Code Quality report: one violation for each finding, and one for each sentence about the change. A
 * fingerprint consists of rule, subject and pointer, and a number if several findings share these, so that a merge
 * request shows the findings that its target branch lacks.
 */
export function renderGitlab(
  { change = [], command }: Report,
  findings: readonly ShownFinding[],
  file: string | undefined = fileOf(findings),
): string {
  const seen = new Map<string, number>();
  const violations = findings.map((shown): Violation => {
    const {
      finding,
      subjects: [subject],
    } = shown;
    const { rule, place } = finding;
    const key = [rule, place.subject, place.pointer ?? null];
    const name = JSON.stringify(key);
    const occurrence = seen.get(name) ?? 0;
    seen.set(name, occurrence + 1);
    return {
      description: `${subject}: ${findingLines(shown).join("\n")}`,
      check_name: escapeText(rule),
      fingerprint: hashCanonical([...key, occurrence], { profile: "ecmascript" }),
      severity: finding.couldNotTell ? "blocker" : SEVERITY[finding.level],
      // A violation needs a path.
      location: {
        path: escapeText(place.location?.file ?? file ?? subject),
        lines: { begin: place.location?.line ?? 1 },
      },
    };
  });
  const head = change.map(
    (sentence): Violation => ({
      description: showText(sentence),
      check_name: escapeText(command),
      fingerprint: hashCanonical([command, sentence], { profile: "ecmascript" }),
      severity: "info",
      location: { path: escapeText(file ?? LOCK), lines: { begin: 1 } },
    }),
  );
  return `${escapeJsonText(JSON.stringify([...head, ...violations], null, 2))}\n`;
}
