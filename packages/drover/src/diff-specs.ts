import { canonicalize, type JsonObject, ownMember, parseCanonical } from "@agentprint/canonical-json";
import { type ChangedField, compareFingerprints } from "./compare-fingerprints.ts";
import { type SpecField, type SpecHashOptions, toSpecLayout } from "./covered-fields.ts";
import { diffValues, type ValueChange } from "./diff-values.ts";
import { SpecError } from "./errors.ts";
import { type FingerprintPayload, isFingerprint, readFingerprint, type SpecFingerprint } from "./fingerprint-spec.ts";
import type { AgentSpec } from "./spec.ts";
import type { SpecWarning } from "./spec-warning.ts";
import { addRecordedWarnings, validationWarnings } from "./spec-warnings.ts";

/** A field whose digest differs. */
export interface FieldChange extends ChangedField {
  /** The values that differ in the field; present only if both specs were given. */
  readonly values?: readonly ValueChange[];
}

/** The differences between two specs, or between a recorded fingerprint and a spec. */
export interface SpecDiff {
  /**
   * Whether the strong fingerprints differ; `"unknown"` if the recorded fingerprint has another version and only fields
   * that its rule hashes differently may have changed.
   */
  readonly drifted: boolean | "unknown";
  readonly before: Pick<SpecFingerprint, "spec32" | "sha256">;
  readonly after: Pick<SpecFingerprint, "spec32" | "sha256">;
  /** The changed fields in the order of the coverage. */
  readonly changes: readonly FieldChange[];
  /** The fields for which the recorded fingerprint cannot show whether they changed. */
  readonly undecided: readonly SpecField[];
  /** The parts of the specs that may differ even though no hash differs. */
  readonly warnings: readonly SpecWarning[];
}

/**
 * Names the fields in which two specs differ. For the earlier spec, its recorded fingerprint is enough. If both specs
 * are given, each field also lists the differing values by JSON Pointer, and text line by line.
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
  const current = readFingerprint(after, options);
  const { fingerprint, payload } = readBefore(before, options);
  const { drifted, changes, undecided, revalidated } = compareFingerprints(fingerprint, current);
  const values = payload === undefined ? undefined : valuesByField(payload, current.payload);
  const warnings = [...validationWarnings(revalidated, current.payload), ...current.fingerprint.warnings];
  return {
    drifted,
    before: { spec32: fingerprint.spec32, sha256: fingerprint.sha256 },
    after: { spec32: current.fingerprint.spec32, sha256: current.fingerprint.sha256 },
    changes: changes.map((change) => (values === undefined ? change : { ...change, values: values(change.field) })),
    undecided,
    warnings: addRecordedWarnings(warnings, fingerprint),
  };
}

/** The earlier spec; for a recorded spec, only its fingerprint is known. */
interface Before {
  readonly fingerprint: SpecFingerprint;
  readonly payload?: FingerprintPayload;
}

function readBefore(before: AgentSpec | SpecFingerprint, options: SpecHashOptions): Before {
  const isSpec = typeof before !== "object" || before === null || "systemPrompt" in before;
  if (isSpec || !("sha256" in before)) return readFingerprint(before as AgentSpec, options);
  if (isFingerprint(before)) return { fingerprint: before };
  const expected = "expected 1 to 8 lowercase hex digits in spec32, and 64 in sha256 and in each of fields and schemas";
  throw new SpecError("invalid-spec", "", `the recorded fingerprint is malformed: ${expected}`);
}

const ECMASCRIPT = { profile: "ecmascript" } as const;

type ValuesOfField = (field: SpecField) => ValueChange[];

/** Returns a function that lists the differing values of a field in two specs, from their fingerprints' payloads. */
export function valuesByField(before: FingerprintPayload, after: FingerprintPayload): ValuesOfField {
  const [jsonBefore, jsonAfter] = [before, after].map(
    (payload) => parseCanonical(canonicalize(toSpecLayout(payload), ECMASCRIPT), ECMASCRIPT) as JsonObject,
  ) as [JsonObject, JsonObject];
  return (field) => {
    const member = field === "pluginIds" ? "plugins" : field;
    const changes = diffValues(ownMember(jsonBefore, member), ownMember(jsonAfter, member));
    const located = changes.map((change) => ({ ...change, pointer: `/${member}${change.pointer}` }));
    // The spec has a prompt function if its payload contains the function's source.
    if (field === "systemPrompt") return located.map((change) => ({ ...change, pointer: "/systemPrompt" }));
    return located;
  };
}
