import { type JsonValue, locateJson } from "@agentprint/canonical-json";
import type { Finding, Location, Report } from "@agentprint/findings";
import { checkArgument } from "../check-argument.ts";
import type { JudgedChange, JudgedManifestDiff } from "../diff/add-compatibility.ts";
import { CHANGE_RULES } from "./change-rules.ts";

/** One of the two compared manifests. */
export interface Side {
  readonly file: string;
  readonly text: Uint8Array;
}

/**
 * Returns the report on the changes from one manifest to another; findings point into the later manifest, or into the
 * earlier one for removed parts.
 *
 * @param diff The result of `addCompatibility` for the result of `diffManifests`
 * @throws {CanonicalJsonError} as `parseJson` does, when there is a finding and one of the texts is not strict JSON
 * @example
 * ```ts
 * import { diffReport } from "@agentprint/manifest/rules";
 *
 * const diff = { breaking: [], nonBreaking: [], unclassified: [] };
 * const text = new TextEncoder().encode("{}");
 * console.log(diffReport(diff, { file: "a.json", text }, { file: "b.json", text }).summary); // the same manifest
 * ```
 */
export function diffReport(diff: JudgedManifestDiff, before: Side, after: Side): Report {
  checkArgument("diff", diff, { breaking: "array", unclassified: "array", nonBreaking: "array" });
  checkArgument("before", before, { file: "string", text: "bytes" });
  checkArgument("after", after, { file: "string", text: "bytes" });
  const verdicts = ["breaking", "unclassified", "nonBreaking"] as const;
  const findings = verdicts.flatMap((verdict) => diff[verdict].map((change) => finding(change, before, after)));
  const [breaking, unclassified, nonBreaking] = verdicts.map((verdict) => diff[verdict].length);
  return {
    command: "agentprint manifest diff",
    title: "agentprint manifest diff",
    summary:
      findings.length === 0
        ? "the same manifest"
        : `${breaking} breaking, ${unclassified} unclassified, ${nonBreaking} non-breaking`,
    findings,
    rules: CHANGE_RULES,
    checked: [after.file],
    data: diff,
  };
}

function finding(change: JudgedChange, before: Side, after: Side): Finding {
  const rule = `manifest/${change.kind}` as const;
  const gone = change.kind === "tool_removed" || change.kind === "permission_scope_removed";
  const note = noteOf(change);
  return {
    rule,
    level: change.weakens_consent ? "error" : CHANGE_RULES[rule].level,
    message: `${change.message.en} (${change.kind})`,
    place: { subject: after.file, pointer: change.path, location: locate(gone ? before : after, change.path) },
    ...(change.before !== undefined && { before: change.before }),
    ...(change.after !== undefined && { after: change.after }),
    ...(note !== "" && { note }),
  };
}

function noteOf({ weakens_consent, compatibility }: JudgedChange): string {
  const notes = weakens_consent ? ["weakens consent: users are asked less, or for something different"] : [];
  if (compatibility?.verdict === "compatible") notes.push("every call that was valid is still valid");
  if (compatibility?.counterexample) {
    notes.push(`no longer valid: ${JSON.stringify(compatibility.counterexample.value satisfies JsonValue)}`);
  }
  return notes.join("; ");
}

function locate({ file, text }: Side, pointer: string): Location {
  const [position] = locateJson(text, [pointer]);
  return { file, ...(position && { line: position.line, column: position.column }) };
}
