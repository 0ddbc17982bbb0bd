import type { JsonValue } from "@agentprint/canonical-json";
import type { FieldChange, SpecDiff, SpecWarning, ValueChange } from "@agentprint/drover";
import type { Finding, Report, Rule } from "@agentprint/report";

/** What each finding about a spec means and what to do about it. */
export const SPEC_RULES: Record<"spec-drift" | "spec-unseen", Rule> = {
  "spec-drift": {
    summary: "The definition of an agent changed.",
    help: "Review the change; start a new run if it is meant.",
  },
  "spec-unseen": { summary: "Something that no hash of a spec can see.", help: "Pin it by other means." },
};

/** The fields in which a spec drifted, with the values where both are known. */
export function specDiffReport(command: string, subject: string, diff: SpecDiff): Report {
  const findings = diff.changes.flatMap((change) => fieldFindings(change, subject));
  const fields = diff.changes.map(({ field }) => field);
  return {
    command,
    title: command,
    summary: diff.drifted ? `${fields.length} of its fields changed: ${fields.join(", ")}` : "no field changed",
    outcome: diff.drifted ? "drift" : "same",
    findings: [...findings, ...warningFindings(diff.warnings, subject)],
    rules: SPEC_RULES,
    checked: [subject],
    data: diff,
  };
}

/** Whether a spec has the 32-bit hash that was recorded. */
export function specHashReport(
  command: string,
  subject: string,
  hashes: { readonly recorded: string; readonly current: string },
  warnings: readonly SpecWarning[],
): Report {
  const drifted = hashes.recorded !== hashes.current;
  const drift: Finding = {
    ruleId: "spec-drift",
    level: "error",
    message: "spec drift",
    subject,
    before: hashes.recorded,
    after: hashes.current,
    note: "a fingerprint instead of the 32-bit hash would name the fields",
  };
  return {
    command,
    title: command,
    summary: drifted
      ? `recorded hash ${hashes.recorded}, current hash ${hashes.current}`
      : `hash ${hashes.current}, as recorded`,
    outcome: drifted ? "drift" : "same",
    findings: [...(drifted ? [drift] : []), ...warningFindings(warnings, subject)],
    rules: SPEC_RULES,
    checked: [subject],
    data: { ...hashes, drifted, warnings },
  };
}

function fieldFindings({ field, kind, values = [] }: FieldChange, subject: string): Finding[] {
  const about = { ruleId: "spec-drift", level: "error", subject } as const;
  // The ids of plugins are hashed; the spec has the plugins.
  const pointer = field === "pluginIds" ? "/plugins" : `/${field}`;
  if (values.length === 0) return [{ ...about, message: `${field} ${kind}`, pointer }];
  return values.map((change) => ({
    ...about,
    message: `${field} ${change.kind}`,
    pointer: change.path,
    ...sides(change),
  }));
}

/** Of a text, only the lines that differ. */
function sides(change: ValueChange): { before?: JsonValue; after?: JsonValue } {
  const removed = change.lines?.filter(({ kind }) => kind === "removed").map(({ text }) => text);
  const added = change.lines?.filter(({ kind }) => kind === "added").map(({ text }) => text);
  const before = removed?.join("\n") ?? change.recorded;
  const after = added?.join("\n") ?? change.current;
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

function warningFindings(warnings: readonly SpecWarning[], subject: string): Finding[] {
  return warnings.map(({ path, message }) => ({
    ruleId: "spec-unseen",
    level: "note",
    message,
    subject,
    pointer: path,
  }));
}
