import { fromPointer } from "@agentprint/canonical-json";
import type { SpecField } from "./coverage.ts";
import { SpecError } from "./errors.ts";
import { digestOf, FINGERPRINT_VERSION, type FieldDigests, type SpecFingerprint } from "./fingerprint-spec.ts";
import { type SpecFields, source } from "./payload.ts";
import type { AgentSpec } from "./spec.ts";
import { unseenParts } from "./spec-warnings.ts";

/** A field whose digest differs. */
export interface ChangedField {
  readonly field: SpecField;
  readonly kind: "added" | "removed" | "changed";
}

/** How the fingerprint of a spec differs from a recorded one. */
export interface FingerprintComparison {
  /** In the order of the coverage, fields that only the record has last. */
  readonly changes: readonly ChangedField[];
  /** The fields of which the recorded fingerprint does not tell whether they changed. */
  readonly undecided: readonly SpecField[];
  /** Whether the spec drifted; `"unknown"` where no field changed for certain and some are undecided. */
  readonly drifted: boolean | "unknown";
}

/** The spec of today: its fingerprint, and what that was made of. */
export interface CurrentSpec {
  readonly spec: AgentSpec;
  readonly fields: SpecFields;
  readonly fingerprint: SpecFingerprint;
}

/**
 * Compares a recorded fingerprint with the spec of today, by the rule of its version. A fingerprint of the first rule
 * has no version; of a field that this rule hashes otherwise it tells nothing. Neither does one of a later rule.
 */
export function compareFingerprints(recorded: SpecFingerprint, current: CurrentSpec): FingerprintComparison {
  const { fingerprint } = current;
  const { version = 1 } = recorded;
  const names = namesOf(recorded.fields, fingerprint.fields);
  if (version > FINGERPRINT_VERSION) return conclude([], names, false);
  const differs = recorded.sha256 !== fingerprint.sha256;
  const changes = differs ? changedFields(names, recorded.fields, fingerprint.fields) : [];
  if (version === FINGERPRINT_VERSION) return conclude(changes, [], differs);
  const unclear = names.filter((field) => isUnclear(field, recorded, current, differs));
  const clear = changes.filter(({ field }) => !unclear.includes(field));
  return conclude(clear, unclear, differs && unclear.length === 0);
}

function conclude(
  changes: readonly ChangedField[],
  undecided: readonly SpecField[],
  differs: boolean,
): FingerprintComparison {
  const drifted = differs || changes.length > 0 || (undecided.length > 0 ? "unknown" : false);
  return { changes, undecided, drifted };
}

function namesOf(recorded: FieldDigests, current: FieldDigests): SpecField[] {
  return [...new Set([...Object.keys(current), ...Object.keys(recorded)] as SpecField[])];
}

function changedFields(names: readonly SpecField[], recorded: FieldDigests, current: FieldDigests): ChangedField[] {
  return names.flatMap((field): ChangedField[] => {
    const before = ownMember(recorded, field);
    const after = ownMember(current, field);
    if (before === after) return [];
    return [{ field, kind: before === undefined ? "added" : after === undefined ? "removed" : "changed" }];
  });
}

/** Whether a fingerprint of the first rule leaves open if a field changed; `differs`: not all digests are equal. */
function isUnclear(field: SpecField, recorded: SpecFingerprint, current: CurrentSpec, differs: boolean): boolean {
  const { spec, fields, fingerprint } = current;
  const before = ownMember(recorded.fields, field);
  const after = ownMember(fingerprint.fields, field);
  if (firstRuleDigest(fields, field) !== after) return true;
  if (!differs || before === after) return false;
  // The first rule left out a field that is a function with a toJSON, which the 32-bit hash has.
  if (before === undefined && recorded.spec32 === fingerprint.spec32) return true;
  // What adapters describe of an agent was less then.
  return unseenParts(spec.unseen).length > 0 && field !== "id" && field !== "systemPrompt";
}

/**
 * The field for which a fingerprint of the first rule leaves open if the spec drifted: the first rule hashed in it what
 * the present one refuses. `undefined` for every other refusal.
 */
export function refusedSinceFirstRule(
  recorded: SpecFingerprint,
  fields: SpecFields,
  refusal: unknown,
): SpecField | undefined {
  const { version = 1 } = recorded;
  if (version > 1 || !(refusal instanceof SpecError) || refusal.code !== "opaque-object") return undefined;
  const [member] = fromPointer(refusal.path);
  const field = (member === "plugins" ? "pluginIds" : member) as SpecField;
  return firstRuleDigest(fields, field) === null ? undefined : field;
}

/** The digest of a field by the first rule, `undefined` where it left the field out, `null` where it refused it. */
function firstRuleDigest(fields: SpecFields, field: SpecField): string | null | undefined {
  const value = ownMember(fields, field);
  if (field === "systemPrompt" && typeof value === "function") {
    return digestOf({ function: source(value as () => unknown) });
  }
  if (value === undefined || typeof value === "function" || typeof value === "symbol") return undefined;
  try {
    return digestOf(value);
  } catch {
    return null;
  }
}

/** The names in a record come from a storage: one may be that of an inherited member. */
function ownMember<Value>(object: { readonly [name in SpecField]?: Value }, name: SpecField): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
