import type { SpecDiff, SpecWarning } from "@agentprint/drover";
import { SPEC_RULES, type SpecHashes, specFindings, specHashFindings } from "@agentprint/drover/rules";
import { count, type Report } from "@agentprint/findings";

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
  const summary =
    undecided.length === 0 ? drift : `cannot tell whether these fields changed: ${undecided.join(", ")}; ${drift}`;
  return {
    command,
    title: command,
    summary,
    ...(undecided.length > 0 && { couldNotTell: summary }),
    ...(changes.length === 0 && diff.drifted === true && { differs: true }),
    findings: specFindings(diff, subject),
    rules: SPEC_RULES,
    checked: [subject],
    data: diff,
  };
}

/** Returns the report on whether a spec has the recorded 32-bit hash. */
export function specHashReport(
  command: string,
  subject: string,
  hashes: SpecHashes,
  warnings: readonly SpecWarning[],
): Report {
  const drifted = hashes.before !== hashes.after;
  return {
    command,
    title: command,
    summary: drifted
      ? `recorded hash ${hashes.before}, current hash ${hashes.after}`
      : `hash ${hashes.after}, as recorded`,
    findings: specHashFindings(hashes, warnings, subject),
    rules: SPEC_RULES,
    checked: [subject],
    data: { ...hashes, drifted, warnings },
  };
}
