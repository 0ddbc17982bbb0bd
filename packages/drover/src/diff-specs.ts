import { canonicalize, type JsonValue, parseCanonical } from "@agentprint/canonical-json";
import { type ChangedField, compareFingerprints } from "./compare-fingerprints.ts";
import type { SpecField } from "./coverage.ts";
import { SpecError } from "./errors.ts";
import {
  fingerprintFields,
  fingerprintSpec,
  type SpecFingerprint,
  specFingerprintPayload,
} from "./fingerprint-spec.ts";
import { isFingerprint } from "./is-fingerprint.ts";
import { asInSpec, readSpec, type SpecHashOptions } from "./payload.ts";
import type { AgentSpec } from "./spec.ts";
import { addRecordedWarnings, type SpecWarning } from "./spec-warnings.ts";
import { diffValues, type ValueChange } from "./value-diff.ts";

/** A field whose digest differs. */
export interface FieldChange extends ChangedField {
  /** What differs in it; only when both specs were given. */
  readonly values?: readonly ValueChange[];
}

/** How two specs differ. */
export interface SpecDiff {
  /**
   * Whether the strong fingerprints differ; `"unknown"` where the recorded one is of another version and only fields that
   * its rule hashes otherwise may have changed.
   */
  readonly drifted: boolean | "unknown";
  readonly recorded: Pick<SpecFingerprint, "spec32" | "sha256">;
  readonly current: Pick<SpecFingerprint, "spec32" | "sha256">;
  /** In the order of the coverage. */
  readonly changes: readonly FieldChange[];
  /** The fields of which the recorded fingerprint does not tell whether they changed. */
  readonly undecided: readonly SpecField[];
  /** What no comparison of these specs can see. */
  readonly warnings: readonly SpecWarning[];
}

/**
 * Names the fields in which the current spec differs from the recorded one, which is a spec or only its fingerprint.
 * With both specs at hand, each field also lists the values that differ, by JSON Pointer, and texts line by line.
 *
 * @throws SpecError as {@link fingerprintSpec}, and `invalid-spec` for a malformed fingerprint
 *
 * @example
 * ```ts
 * import { diffSpecs } from "@agentprint/drover";
 *
 * const recorded = { id: "writer", systemPrompt: "Write.", tools: ["read"] };
 * const diff = diffSpecs(recorded, { ...recorded, tools: ["read", "bash"] });
 * console.log(diff.changes[0]?.field); // "tools"
 * console.log(diff.changes[0]?.values?.[0]?.path); // "/tools/1"
 * ```
 */
export function diffSpecs(
  recorded: AgentSpec | SpecFingerprint,
  current: AgentSpec,
  options: SpecHashOptions = {},
): SpecDiff {
  const fields = readSpec(current, options);
  const after = fingerprintFields(current, fields);
  const fingerprint = recordedFingerprint(recorded);
  const before = fingerprint ?? fingerprintSpec(recorded as AgentSpec, options);
  const values = fingerprint === undefined ? payloads(recorded as AgentSpec, current, options) : undefined;
  const { drifted, changes, undecided } = compareFingerprints(before, { spec: current, fields, fingerprint: after });
  return {
    drifted,
    recorded: { spec32: before.spec32, sha256: before.sha256 },
    current: { spec32: after.spec32, sha256: after.sha256 },
    changes: changes.map((change) =>
      values === undefined ? change : { ...change, values: changedValues(change, ...values) },
    ),
    undecided,
    warnings: addRecordedWarnings(after.warnings, before),
  };
}

function recordedFingerprint(recorded: AgentSpec | SpecFingerprint): SpecFingerprint | undefined {
  const isSpec = typeof recorded !== "object" || recorded === null || "systemPrompt" in recorded;
  if (isSpec || !("sha256" in recorded)) return undefined;
  if (isFingerprint(recorded)) return recorded;
  const expected = "expected spec32 of 1 to 8, and sha256 and all of fields of 64 lowercase hex digits";
  throw new SpecError("invalid-spec", "", `the recorded fingerprint is malformed: ${expected}`);
}

const ECMASCRIPT = { profile: "ecmascript" } as const;

type JsonObject = { readonly [field: string]: JsonValue };

function payloads(recorded: AgentSpec, current: AgentSpec, options: SpecHashOptions): [JsonObject, JsonObject] {
  const toJson = (spec: AgentSpec): JsonObject =>
    parseCanonical(canonicalize(asInSpec(specFingerprintPayload(spec, options)), ECMASCRIPT), ECMASCRIPT) as JsonObject;
  return [toJson(recorded), toJson(current)];
}

function changedValues({ field, kind }: FieldChange, recorded: JsonObject, current: JsonObject): ValueChange[] {
  const member = field === "pluginIds" ? "plugins" : field;
  const path = `/${member}`;
  if (kind === "added") return [{ path, kind, current: current[member]! }];
  if (kind === "removed") return [{ path, kind, recorded: recorded[member]! }];
  const changes = diffValues(recorded[member]!, current[member]!, [member]);
  // Of two prompt functions, the sources were compared.
  if (field === "systemPrompt") return changes.map((change) => ({ ...change, path }));
  return changes.filter((change) => !isEcho(change, changes));
}

const SHOWN_JSON = "/~0standard/json";

/** What a schema writes of itself says little where its JSON Schemas differ too. */
function isEcho({ path }: ValueChange, changes: readonly ValueChange[]): boolean {
  const end = path.lastIndexOf(SHOWN_JSON);
  if (end < 0) return false;
  const schema = `${path.slice(0, end)}/~0standard/`;
  return changes.some((other) => other.path.startsWith(`${schema}input`) || other.path.startsWith(`${schema}output`));
}
