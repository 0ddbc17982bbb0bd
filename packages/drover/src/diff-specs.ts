import { canonicalize, type JsonObject, ownMember, parseCanonical } from "@agentprint/canonical-json";
import { type ChangedField, compareFingerprints } from "./compare-fingerprints.ts";
import { readCoveredFields, type SpecField, type SpecHashOptions, toSpecLayout } from "./covered-fields.ts";
import { diffValues, type ValueChange } from "./diff-values.ts";
import { SpecError } from "./errors.ts";
import {
  type FingerprintPayload,
  fingerprintFields,
  fingerprintSpec,
  isFingerprint,
  type SpecFingerprint,
  specFingerprintPayload,
} from "./fingerprint-spec.ts";
import type { AgentSpec } from "./spec.ts";
import type { SpecWarning } from "./spec-warning.ts";
import { addRecordedWarnings } from "./spec-warnings.ts";

/** A field whose digest differs. */
export interface FieldChange extends ChangedField {
  /** The values that differ in the field; only if both specs were given. */
  readonly values?: readonly ValueChange[];
}

/** The differences between two specs, or between a recorded fingerprint and a spec. */
export interface SpecDiff {
  /**
   * Whether the strong fingerprints differ; `"unknown"` if the recorded fingerprint is of another version and only fields that
   * its rule hashes differently may have changed.
   */
  readonly drifted: boolean | "unknown";
  readonly before: Pick<SpecFingerprint, "spec32" | "sha256">;
  readonly after: Pick<SpecFingerprint, "spec32" | "sha256">;
  /** In the order of the coverage. */
  readonly changes: readonly FieldChange[];
  /** The fields of which the recorded fingerprint does not tell whether they changed. */
  readonly undecided: readonly SpecField[];
  /** The parts of the specs that may differ although no hash differs. */
  readonly warnings: readonly SpecWarning[];
}

/**
 * Names the fields in which two specs differ. Of the spec before, its recorded fingerprint is enough. If both specs are
 * given, each field also lists the values that differ, by JSON Pointer, and texts line by line.
 *
 * @throws {@link SpecError} the codes of {@link fingerprintSpec} when a spec cannot be hashed
 * @throws {@link SpecError} `invalid-spec` when the recorded fingerprint is malformed
 * @see Spec hash & drift, "What's covered"
 * @example
 * ```ts
 * import { diffSpecs } from "@agentprint/drover";
 *
 * const before = { id: "writer", systemPrompt: "Write.", tools: ["read"] };
 * const diff = diffSpecs(before, { ...before, tools: ["read", "bash"] });
 * console.log(diff.changes[0]?.field); // "tools"
 * console.log(diff.changes[0]?.values?.[0]?.pointer); // "/tools/1"
 * ```
 */
export function diffSpecs(
  before: AgentSpec | SpecFingerprint,
  after: AgentSpec,
  options: SpecHashOptions = {},
): SpecDiff {
  const fields = readCoveredFields(after, options);
  const fingerprintAfter = fingerprintFields(after, fields);
  const recorded = recordedFingerprint(before);
  const fingerprintBefore = recorded ?? fingerprintSpec(before as AgentSpec, options);
  const values = recorded === undefined ? valuesOfSpecs(before as AgentSpec, after, options) : () => undefined;
  const comparison = compareFingerprints(fingerprintBefore, { spec: after, fields, fingerprint: fingerprintAfter });
  return {
    drifted: comparison.drifted,
    before: { spec32: fingerprintBefore.spec32, sha256: fingerprintBefore.sha256 },
    after: { spec32: fingerprintAfter.spec32, sha256: fingerprintAfter.sha256 },
    changes: comparison.changes.map((change) => {
      const changed = values(change.field);
      return changed === undefined ? change : { ...change, values: changed };
    }),
    undecided: comparison.undecided,
    warnings: addRecordedWarnings(fingerprintAfter.warnings, fingerprintBefore),
  };
}

function recordedFingerprint(before: AgentSpec | SpecFingerprint): SpecFingerprint | undefined {
  const isSpec = typeof before !== "object" || before === null || "systemPrompt" in before;
  if (isSpec || !("sha256" in before)) return undefined;
  if (isFingerprint(before)) return before;
  const expected = "expected spec32 of 1 to 8, and sha256 and all of fields of 64 lowercase hex digits";
  throw new SpecError("invalid-spec", "", `the recorded fingerprint is malformed: ${expected}`);
}

const ECMASCRIPT = { profile: "ecmascript" } as const;

function valuesOfSpecs(before: AgentSpec, after: AgentSpec, options: SpecHashOptions): ValuesOfField {
  return valuesByField(specFingerprintPayload(before, options), specFingerprintPayload(after, options));
}

type ValuesOfField = (field: SpecField) => ValueChange[];

/** Returns a function that lists the differing values of a field of two specs, from the payloads of their fingerprints. */
export function valuesByField(before: FingerprintPayload, after: FingerprintPayload): ValuesOfField {
  const [jsonBefore, jsonAfter] = [before, after].map(
    (payload) => parseCanonical(canonicalize(toSpecLayout(payload), ECMASCRIPT), ECMASCRIPT) as JsonObject,
  ) as [JsonObject, JsonObject];
  return (field) => {
    const member = field === "pluginIds" ? "plugins" : field;
    const changes = diffValues(ownMember(jsonBefore, member), ownMember(jsonAfter, member));
    const located = changes.map((change) => ({ ...change, pointer: `/${member}${change.pointer}` }));
    // The spec has a prompt function where its payload has the source of the function.
    if (field === "systemPrompt") return located.map((change) => ({ ...change, pointer: "/systemPrompt" }));
    return located.filter((change) => !repeatsJsonSchema(change, located));
  };
}

const SHOWN_JSON = "/~0standard/json";

/** Whether a change is in the JSON that a schema writes of itself, while a JSON Schema of that schema changed, too. */
function repeatsJsonSchema({ pointer }: ValueChange, changes: readonly ValueChange[]): boolean {
  const end = pointer.lastIndexOf(SHOWN_JSON);
  if (end < 0) return false;
  const schema = `${pointer.slice(0, end)}/~0standard/`;
  return changes.some((other) => ["input", "output"].some((side) => other.pointer.startsWith(`${schema}${side}`)));
}
