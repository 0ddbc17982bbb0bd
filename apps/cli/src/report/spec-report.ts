import type { JsonValue } from "@agentprint/canonical-json";
import type { FieldChange, SpecDiff, SpecField, SpecWarning, ValueChange } from "@agentprint/drover";
import { SPEC_RULES } from "@agentprint/drover/rules";
import { type Finding, findingKinds, type Report } from "@agentprint/findings";
import { count } from "./count.ts";

/**
 * Returns the report on the fields that drifted, with both values if known, and on the fields whose drift is undecided.
 */
export function specDiffReport(command: string, subject: string, diff: SpecDiff): Report {
  const { changes, undecided } = diff;
  const names = changes.map(({ field }) => field).join(", ");
  const drift =
    changes.length > 0 || diff.drifted === true
      ? `${count(changes.length, "field")} changed: ${names}`
      : "no field changed";
  return {
    command,
    title: command,
    summary:
      undecided.length === 0 ? drift : `cannot tell whether these fields changed: ${undecided.join(", ")}; ${drift}`,
    outcome: undecided.length > 0 ? "unknown" : diff.drifted ? "drift" : "same",
    findings: [
      ...changes.flatMap((change) => fieldFindings(change, subject)),
      ...undecided.map((field) => undecidedFinding(field, subject)),
      ...warningFindings(diff.warnings, subject),
    ],
    rules: SPEC_RULES,
    checked: [subject],
    data: diff,
  };
}

function undecidedFinding(field: SpecField, subject: string): Finding {
  const message = `cannot tell whether ${field} changed: the recorded fingerprint is of another version`;
  return { ...byRule("spec/undecided", message), place: { subject, pointer: pointerOf(field) } };
}

/** Whether a spec has the 32-bit hash that was recorded. */
export function specHashReport(
  command: string,
  subject: string,
  hashes: { readonly before: string; readonly after: string },
  warnings: readonly SpecWarning[],
): Report {
  const drifted = hashes.before !== hashes.after;
  const drift: Finding = {
    ...byRule("spec/drift", "spec drift"),
    place: { subject },
    before: hashes.before,
    after: hashes.after,
    note: "a fingerprint instead of the 32-bit hash would name the fields",
  };
  return {
    command,
    title: command,
    summary: drifted
      ? `recorded hash ${hashes.before}, current hash ${hashes.after}`
      : `hash ${hashes.after}, as recorded`,
    outcome: drifted ? "drift" : "same",
    findings: [...(drifted ? [drift] : []), ...warningFindings(warnings, subject)],
    rules: SPEC_RULES,
    checked: [subject],
    data: { ...hashes, drifted, warnings },
  };
}

function fieldFindings({ field, kind, values = [] }: FieldChange, subject: string): Finding[] {
  if (values.length === 0) {
    return [{ ...byRule("spec/drift", `${field} ${kind}`), place: { subject, pointer: pointerOf(field) } }];
  }
  return values.map((change) => ({
    ...byRule("spec/drift", `${field} ${kindOf(change)}`),
    place: { subject, pointer: change.pointer },
    ...sides(change),
  }));
}

/** The ids of plugins are hashed; the spec has the plugins. */
function pointerOf(field: SpecField): string {
  return field === "pluginIds" ? "/plugins" : `/${field}`;
}

function kindOf({ before, after }: ValueChange): "added" | "removed" | "changed" {
  if (before === undefined) return "added";
  return after === undefined ? "removed" : "changed";
}

/** Returns only the lines of a text that differ. */
function sides(change: ValueChange): { before?: JsonValue; after?: JsonValue } {
  const removed = change.lines?.filter(({ kind }) => kind === "removed").map(({ text }) => text);
  const added = change.lines?.filter(({ kind }) => kind === "added").map(({ text }) => text);
  const before = removed?.join("\n") ?? change.before;
  const after = added?.join("\n") ?? change.after;
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

function warningFindings(warnings: readonly SpecWarning[], subject: string): Finding[] {
  return warnings.map(({ path, message }) => ({
    ...byRule("spec/unseen", message),
    place: { subject, pointer: path },
  }));
}

const byRule = findingKinds(SPEC_RULES);
