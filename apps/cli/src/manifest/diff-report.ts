import { type JsonValue, locateJson } from "@agentprint/canonical-json";
import type { JudgedChange, JudgedManifestDiff } from "@agentprint/manifest";
import type { Finding, FindingLevel, Location, Report } from "@agentprint/report";
import { CHANGE_RULES } from "./change-rules.ts";

/** One of the two manifests that are compared. */
export interface Side {
  readonly file: string;
  readonly text: Uint8Array;
}

const LEVELS = { breaking: "error", unclassified: "warning", nonBreaking: "note" } as const;

/** The report on what changed from one manifest to another; findings point into the one after, or before for what is gone. */
export function diffReport(diff: JudgedManifestDiff, before: Side, after: Side): Report {
  const verdicts = ["breaking", "unclassified", "nonBreaking"] as const;
  const findings = verdicts.flatMap((verdict) =>
    diff[verdict].map((change) => finding(change, change.weakens_consent ? "error" : LEVELS[verdict], before, after)),
  );
  const [breaking, unclassified, nonBreaking] = verdicts.map((verdict) => diff[verdict].length);
  return {
    command: "agentprint manifest diff",
    title: "agentprint manifest diff",
    summary:
      findings.length === 0
        ? "the same manifest"
        : `${breaking} breaking, ${unclassified} unclassified, ${nonBreaking} non-breaking`,
    outcome: findings.some(({ level }) => level !== "note") ? "drift" : "same",
    findings,
    rules: CHANGE_RULES,
    checked: [after.file],
    data: diff,
  };
}

function finding(change: JudgedChange, level: FindingLevel, before: Side, after: Side): Finding {
  const gone = change.kind === "tool_removed" || change.kind === "permission_scope_removed";
  const note = noteOf(change);
  return {
    ruleId: change.kind,
    level,
    message: `${change.message.en} (${change.kind})`,
    subject: after.file,
    pointer: change.path,
    location: place(gone ? before : after, change.path),
    ...(change.before !== undefined && { before: change.before }),
    ...(change.after !== undefined && { after: change.after }),
    ...(note !== "" && { note }),
  };
}

function noteOf({ weakens_consent, compatibility }: JudgedChange): string {
  const notes = weakens_consent ? ["weakens consent: users are asked less, or for something else"] : [];
  if (compatibility?.verdict === "compatible") notes.push("every call that was valid still is");
  if (compatibility?.counterexample) {
    notes.push(`no longer valid: ${JSON.stringify(compatibility.counterexample.value satisfies JsonValue)}`);
  }
  return notes.join("; ");
}

function place({ file, text }: Side, pointer: string): Location {
  const [position] = locateJson(text, [pointer]);
  return { file, ...(position && { line: position.line, column: position.column }) };
}
