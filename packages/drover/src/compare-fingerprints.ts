import { ownMember } from "@agentprint/canonical-json";
import { fieldAt, type SpecField, type SpecFields, type SpecPayload, sourceOf } from "./covered-fields.ts";
import { SpecError } from "./errors.ts";
import {
  digestOf,
  FINGERPRINT_VERSION,
  type FieldDigests,
  type FingerprintedSpec,
  type SpecFingerprint,
} from "./fingerprint-spec.ts";
import { unseenParts } from "./spec-warnings.ts";

/** A field whose digest differs. */
export interface ChangedField {
  readonly field: SpecField;
  readonly kind: "added" | "removed" | "changed";
}

/** The differences between a recorded fingerprint and a spec's fingerprint. */
export interface FingerprintComparison {
  /** The changed fields in the order of the coverage. Fields that only the recorded fingerprint contains come last. */
  readonly changes: readonly ChangedField[];
  /** The fields for which the recorded fingerprint cannot show whether they changed. */
  readonly undecided: readonly SpecField[];
  /** Whether the spec drifted; `"unknown"` if no field changed for certain and some fields are undecided. */
  readonly drifted: boolean | "unknown";
  /** The JSON Pointers of the schemas that differ only in the second digest. */
  readonly revalidated: readonly string[];
}

/**
 * Compares a recorded fingerprint with a spec by the rule for the fingerprint's version. If the fingerprint was
 * computed by an earlier rule, the fields that the current rule hashes differently are undecided. If it was computed by
 * a later rule, all fields are undecided, because that rule is not known here.
 */
export function compareFingerprints(before: SpecFingerprint, after: FingerprintedSpec): FingerprintComparison {
  const { fingerprint } = after;
  const { version = 1 } = before;
  const names = namesOf(before.fields, fingerprint.fields);
  if (version > FINGERPRINT_VERSION) return conclude([], names, false);
  const differs = before.sha256 !== fingerprint.sha256;
  const changes = differs ? changedFields(names, before.fields, fingerprint.fields) : [];
  if (version === FINGERPRINT_VERSION) {
    return { ...conclude(changes, [], differs), revalidated: revalidated(before, after, changes) };
  }
  const added = new Set(changes.flatMap(({ field, kind }) => (kind === "added" ? [field] : [])));
  const undecided = names.filter((field) =>
    version === 1 ? isUndecided(field, before, after, differs) : after.schemaFields.has(field) && !added.has(field),
  );
  const decided = changes.filter(({ field }) => !undecided.includes(field));
  return conclude(decided, undecided, differs && undecided.length === 0);
}

function conclude(
  changes: readonly ChangedField[],
  undecided: readonly SpecField[],
  differs: boolean,
): FingerprintComparison {
  const drifted = differs || changes.length > 0 || (undecided.length > 0 ? "unknown" : false);
  return { changes, undecided, drifted, revalidated: [] };
}

function revalidated(
  { schemas = {} }: SpecFingerprint,
  { fingerprint }: FingerprintedSpec,
  changes: readonly ChangedField[],
): string[] {
  const changed = new Set(changes.map(({ field }) => field));
  return Object.entries(fingerprint.schemas).flatMap(([pointer, digest]) =>
    ownMember(schemas, pointer) === digest || changed.has(fieldAt(pointer)) ? [] : [pointer],
  );
}

function namesOf(before: FieldDigests, after: FieldDigests): SpecField[] {
  return [...new Set([...Object.keys(after), ...Object.keys(before)] as SpecField[])];
}

function changedFields(names: readonly SpecField[], before: FieldDigests, after: FieldDigests): ChangedField[] {
  return names.flatMap((field): ChangedField[] => {
    const digestBefore = ownMember(before, field);
    const digestAfter = ownMember(after, field);
    if (digestBefore === digestAfter) return [];
    if (digestBefore === undefined) return [{ field, kind: "added" }];
    return [{ field, kind: digestAfter === undefined ? "removed" : "changed" }];
  });
}

/**
 * Returns whether a fingerprint computed by the first rule cannot show if a field changed. `differs` says whether the
 * digests of the complete spec differ.
 */
function isUndecided(
  field: SpecField,
  before: SpecFingerprint,
  { spec, fields, fingerprint }: FingerprintedSpec,
  differs: boolean,
): boolean {
  const digestBefore = ownMember(before.fields, field);
  const digestAfter = ownMember(fingerprint.fields, field);
  if (firstRuleDigest(fields, field) !== digestAfter) return true;
  if (!differs || digestBefore === digestAfter) return false;
  // The first rule left out a field that is a function with a toJSON, although the 32-bit hash covers that field.
  if (digestBefore === undefined && before.spec32 === fingerprint.spec32) return true;
  // Adapters described fewer parts of an agent when the first rule was in use.
  return unseenParts(spec.unseen).length > 0 && field !== "id" && field !== "systemPrompt";
}

/**
 * Returns the field that prevents a spec from being fingerprinted, if the first rule hashed the value that the current
 * rule refuses. A fingerprint computed by the first rule cannot show whether that field changed. Returns `undefined`
 * for every other refusal.
 */
export function refusedSinceFirstRule(
  before: SpecFingerprint,
  fields: SpecFields,
  refusal: unknown,
): SpecField | undefined {
  const { version = 1 } = before;
  if (version > 1 || !(refusal instanceof SpecError) || refusal.code !== "opaque-object") return undefined;
  const field = fieldAt(refusal.path);
  return firstRuleDigest(fields, field) === null ? undefined : field;
}

/**
 * Returns the digest of a field by the first rule: `undefined` if the rule omits the field, `null` if it refuses the
 * value.
 */
function firstRuleDigest(fields: SpecFields, field: SpecField): string | null | undefined {
  // A field's name comes from storage, so it may be the name of an inherited member.
  const value = ownMember<unknown>(fields as SpecPayload, field);
  if (field === "systemPrompt" && typeof value === "function") {
    return digestOf({ function: sourceOf(value as () => unknown) });
  }
  if (value === undefined || typeof value === "function" || typeof value === "symbol") return undefined;
  try {
    return digestOf(value);
  } catch {
    return null;
  }
}
