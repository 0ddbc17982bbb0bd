import {
  canonicalize,
  hashCanonical,
  isObject,
  isSha256Hex,
  type JsonValue,
  parseCanonical,
} from "@agentprint/canonical-json";
import { checkArgument } from "./check-argument.ts";
import {
  locate,
  readCoveredFields,
  type SpecField,
  type SpecFields,
  type SpecHashOptions,
  type SpecPayload,
  sourceOf,
} from "./covered-fields.ts";
import { toSpecError } from "./errors.ts";
import { hashFields } from "./hash-spec.ts";
import type { AgentSpec } from "./spec.ts";
import type { SpecWarning } from "./spec-warning.ts";
import { findUnseenFields, specWarnings } from "./spec-warnings.ts";
import { showSchemas } from "./standard-schema.ts";

/** The version of the rule by which {@link fingerprintSpec} hashes. Fingerprints of the first rule have no version. */
export const FINGERPRINT_VERSION = 2;

/** SHA-256 of each field that is present, 64 lowercase hex digits. */
export type FieldDigests = { readonly [field in SpecField]?: string };

/** The strong fingerprint of a spec, to be recorded beside the 32-bit hash. */
export interface SpecFingerprint {
  /** The version of the rule by which it was made; absent in fingerprints of the first rule. */
  readonly version?: number;
  /** The 32-bit hash, as {@link hashSpec} gives it. */
  readonly spec32: string;
  /** SHA-256 of the canonical payload, 64 lowercase hex digits. */
  readonly sha256: string;
  readonly fields: FieldDigests;
  /** The parts of the spec that may change without changing any hash of it. */
  readonly warnings: readonly SpecWarning[];
}

/** The payload of a strong fingerprint: the JSON of each field that is present. */
export type FingerprintPayload = { readonly [field in SpecField]?: JsonValue };

/**
 * The JSON whose canonical text the strong fingerprint hashes. It is what `JSON.stringify` writes for the covered fields,
 * with two exceptions. A prompt function is `{ "function": source }`, so that it differs from a prompt text that equals its
 * source. A Standard Schema is `{ "~standard": { input, output, json } }`: the JSON Schemas of both its sides,
 * and what `JSON.stringify` writes for it.
 *
 * @throws {@link SpecError} the codes of {@link fingerprintSpec} when the spec cannot be hashed
 */
export function specFingerprintPayload(spec: AgentSpec, options: SpecHashOptions = {}): FingerprintPayload {
  checkArgument("options", options, "object");
  return payloadOfFields(readCoveredFields(spec, options));
}

/** The payload of fields that were read from a spec. */
export function payloadOfFields(fields: SpecFields): FingerprintPayload {
  try {
    return strongPayload(fields, findUnseenFields(fields).hasSchemas);
  } catch (error) {
    throw toSpecError(error);
  }
}

/**
 * The 32-bit hash of a spec together with the SHA-256 of the whole and of each field, over canonical JSON:
 * the order of keys does not matter, the order of arrays does. Specs whose 32-bit payloads differ in more than the order
 * of keys have different fingerprints.
 *
 * @throws {@link SpecError} the codes of {@link specHashPayload} when the spec cannot be hashed
 * @throws {@link SpecError} `opaque-object` when a Standard Schema does not show its JSON Schema, or when JSON cannot see the
 * content of an object, such as a Map or a Set
 * @example
 * ```ts
 * import { fingerprintSpec } from "@agentprint/drover";
 *
 * const { version, spec32, sha256, fields } = fingerprintSpec({ id: "writer", systemPrompt: "Write." });
 * console.log(version, spec32, sha256.length, Object.keys(fields).length); // 2 759df975 64 7
 * ```
 */
export function fingerprintSpec(spec: AgentSpec, options: SpecHashOptions = {}): Required<SpecFingerprint> {
  checkArgument("options", options, "object");
  return fingerprintFields(spec, readCoveredFields(spec, options));
}

/** The fingerprint of fields that were read from a spec. */
export function fingerprintFields(spec: AgentSpec, fields: SpecFields): Required<SpecFingerprint> {
  const spec32 = hashFields(fields);
  try {
    const unseen = findUnseenFields(fields);
    const payload = strongPayload(fields, unseen.hasSchemas);
    return {
      version: FINGERPRINT_VERSION,
      spec32,
      sha256: digestOf(payload),
      fields: Object.fromEntries(Object.entries(payload).map(([field, value]) => [field, digestOf(value)])),
      warnings: specWarnings(spec, fields, unseen),
    };
  } catch (error) {
    throw toSpecError(error);
  }
}

const ECMASCRIPT = { profile: "ecmascript" } as const;

function strongPayload(fields: SpecFields, hasSchemas: boolean): FingerprintPayload {
  const { systemPrompt: prompt } = fields;
  const read = typeof prompt === "function" ? { ...fields, systemPrompt: { function: sourceOf(prompt) } } : fields;
  const payload = hasSchemas ? (showSchemas(read) as SpecPayload) : read;
  try {
    const shown = parseCanonical(canonicalize(payload, ECMASCRIPT), ECMASCRIPT) as { [field: string]: JsonValue };
    const present = Object.keys(fields).filter((field) => Object.hasOwn(shown, field));
    return Object.fromEntries(present.map((field) => [field, shown[field]!]));
  } catch (error) {
    throw locate(payload, error);
  }
}

/** SHA-256 of the canonical text of a value. */
export function digestOf(value: unknown): string {
  return hashCanonical(value, ECMASCRIPT);
}

const SPEC32 = /^[0-9a-f]{1,8}$/;

/**
 * Whether a value of a storage or a file is a whole fingerprint. Its warnings may be missing, and so may its version, which
 * fingerprints of the first rule do not have.
 */
export function isFingerprint(value: unknown): value is SpecFingerprint {
  if (!isObject(value)) return false;
  const { version = 1, spec32, sha256, fields } = value;
  const isVersion = Number.isSafeInteger(version) && (version as number) >= 1;
  const isSpec32 = typeof spec32 === "string" && SPEC32.test(spec32);
  return isVersion && isSpec32 && isSha256Hex(sha256) && isObject(fields) && Object.values(fields).every(isSha256Hex);
}

/** Whether a value of a storage or a file is what a fingerprint hashes. */
export function isPayloadOf(value: unknown, { sha256 }: SpecFingerprint): value is FingerprintPayload {
  try {
    return isObject(value) && digestOf(value) === sha256;
  } catch {
    return false;
  }
}
