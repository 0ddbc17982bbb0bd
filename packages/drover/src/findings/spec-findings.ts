import type { JsonValue } from "@agentprint/canonical-json";
import { type Finding, findingKinds } from "@agentprint/findings";
import { checkArgument } from "../check-argument.ts";
import type { SpecField } from "../covered-fields.ts";
import type { FieldChange, SpecDiff } from "../diff-specs.ts";
import type { ValueChange } from "../diff-values.ts";
import type { SpecWarning } from "../spec-warning.ts";
import { SPEC_RULES } from "./spec-rules.ts";

const byRule = /* @__PURE__ */ findingKinds(SPEC_RULES);

/**
 * Returns the findings about the fields that drifted, with both values if known, about the fields whose drift is
 * undecided, and about the parts that no hash covers.
 *
 * @param subject The spec's name for readers.
 * @example
 * ```ts
 * import { diffSpecs } from "@agentprint/drover";
 * import { specFindings } from "@agentprint/drover/rules";
 *
 * const before = { id: "writer", systemPrompt: "Write.", tools: ["read"] };
 * const diff = diffSpecs(before, { ...before, tools: ["read", "bash"] });
 * console.log(specFindings(diff, "writer")[0]?.message); // tools added
 * ```
 */
export function specFindings(diff: SpecDiff, subject: string): Finding[] {
  checkArgument("diff", diff, { changes: "array", undecided: "array", warnings: "array" });
  const { changes, undecided, warnings } = diff;
  return [
    ...changes.flatMap((change) => fieldFindings(change, subject)),
    ...undecided.map((field) => undecidedFinding(field, subject)),
    ...warningFindings(warnings, subject),
  ];
}

/** The 32-bit hashes of a spec: the recorded one, and the current one. */
export interface SpecHashes {
  readonly before: string;
  readonly after: string;
}

/**
 * Returns the finding that a spec's 32-bit hash differs from the recorded one, and the findings about the parts that no
 * hash covers.
 */
export function specHashFindings(hashes: SpecHashes, warnings: readonly SpecWarning[], subject: string): Finding[] {
  checkArgument("hashes", hashes, "object");
  checkArgument("warnings", warnings, ["object"]);
  const { before, after } = hashes;
  const drift: Finding = {
    ...byRule("spec/drift", "spec drift"),
    place: { subject },
    before,
    after,
    note: "a fingerprint instead of the 32-bit hash would name the fields",
  };
  return [...(before === after ? [] : [drift]), ...warningFindings(warnings, subject)];
}

function undecidedFinding(field: SpecField, subject: string): Finding {
  const message = `cannot tell whether ${field} changed: the recorded fingerprint has another version`;
  return { ...byRule("spec/undecided", message), place: { subject, pointer: pointerOf(field) } };
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

/** The plugins' ids are hashed, but in the spec the field is `plugins`. */
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
