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
  fieldAt,
  locate,
  readCoveredFields,
  type SpecField,
  type SpecFields,
  type SpecHashOptions,
  type SpecPayload,
  sourceOf,
} from "./covered-fields.ts";
import { SpecError, toSpecError } from "./errors.ts";
import { hashFields } from "./hash-spec.ts";
import { refuseLateSchemas, type SchemaPlace, type ShownValue, showSchemas } from "./show-schemas.ts";
import type { AgentSpec } from "./spec.ts";
import type { SpecWarning } from "./spec-warning.ts";
import { findUnseenFields, specWarnings } from "./spec-warnings.ts";

/** The version of the rule that {@link fingerprintSpec} uses. Fingerprints of the first rule have no version. */
export const FINGERPRINT_VERSION = 3;

/** SHA-256 of each field that is present, 64 lowercase hex digits. */
export type FieldDigests = { readonly [field in SpecField]?: string };

/**
 * SHA-256 of the JSON that each library schema writes for itself, 64 lowercase hex digits, by the schema's JSON
 * Pointer.
 */
export type SchemaDigests = { readonly [pointer: string]: string };

/** A spec's strong fingerprint, to be recorded with the 32-bit hash. */
export interface SpecFingerprint {
  /** The version of the rule by which it was computed; absent in fingerprints computed by the first rule. */
  readonly version?: number;
  /** The 32-bit hash, as {@link hashSpec} returns it. */
  readonly spec32: string;
  /** SHA-256 of the canonical payload, 64 lowercase hex digits. */
  readonly sha256: string;
  readonly fields: FieldDigests;
  /**
   * The second digest of each library schema; absent in fingerprints before version 3. If only these digests differ,
   * the spec has not drifted, and a warning names the tool, whose validation may have changed unless the library merely
   * writes its schemas differently now.
   */
  readonly schemas?: SchemaDigests;
  /** The parts of the spec that may change without changing any of its hashes. */
  readonly warnings: readonly SpecWarning[];
}

/** The payload of a strong fingerprint: the JSON of each field that is present. */
export type FingerprintPayload = { readonly [field in SpecField]?: JsonValue };

/**
 * Returns the JSON whose canonical text the strong fingerprint hashes. It is the output of `JSON.stringify` for the
 * covered fields, with two exceptions. A prompt function is written as `{ "function": source }`, so that it differs
 * from prompt text that equals its source. A Standard Schema is written as `{ "~standard": { input, output } }`, the
 * JSON Schemas of both its sides. A JSON Schema that remembers its schema, like those that `z.toJSONSchema` and the
 * adapters return, also has its own JSON there, as `json`.
 *
 * @throws {@link SpecError} the codes of {@link fingerprintSpec} when the spec cannot be hashed
 */
export function specFingerprintPayload(spec: AgentSpec, options: SpecHashOptions = {}): FingerprintPayload {
  checkArgument("options", options, "object");
  return readFingerprint(spec, options).payload;
}

/**
 * Returns the 32-bit hash of a spec together with the SHA-256 of the complete spec and of each field, over canonical
 * JSON: the order of keys does not matter, but the order of array elements does. Specs whose 32-bit payloads differ in
 * more than the order of keys have different fingerprints, unless the difference is inside a library's schema: only its
 * JSON Schemas are compared, and `schemas` contains a second digest.
 *
 * @throws {@link SpecError} the codes of {@link specHashPayload} when the spec cannot be hashed
 * @throws {@link SpecError} `opaque-object` when a Standard Schema does not expose its JSON Schema, or when JSON cannot
 * see the content of an object, such as a Map or a Set
 * @throws {@link SpecError} `unstable-schema` when a schema gave two different JSON Schemas
 * @example
 * ```ts
 * import { fingerprintSpec } from "@agentprint/drover";
 *
 * const { version, spec32, sha256, fields } = fingerprintSpec({ id: "writer", systemPrompt: "Write." });
 * console.log(version, spec32, sha256.length, Object.keys(fields).length); // 3 759df975 64 7
 * ```
 */
export function fingerprintSpec(spec: AgentSpec, options: SpecHashOptions = {}): Required<SpecFingerprint> {
  checkArgument("options", options, "object");
  return readFingerprint(spec, options).fingerprint;
}

/** A spec that was read once, with its fields, its fingerprint, and the hashed payload. */
export interface FingerprintedSpec {
  readonly spec: AgentSpec;
  readonly fields: SpecFields;
  readonly fingerprint: Required<SpecFingerprint>;
  readonly payload: FingerprintPayload;
  /** The fields that contain a library's schema. */
  readonly schemaFields: ReadonlySet<SpecField>;
}

/** Returns the spec with its fingerprint and the hashed payload. */
export function readFingerprint(spec: AgentSpec, options: SpecHashOptions): FingerprintedSpec {
  return fingerprintFields(spec, readCoveredFields(spec, options));
}

/** Returns what {@link readFingerprint} returns, for fields that were already read from the spec. */
export function fingerprintFields(spec: AgentSpec, fields: SpecFields): FingerprintedSpec {
  try {
    const unseen = findUnseenFields(fields);
    const { payload, places } = strongPayload(fields, unseen.hasSchemas);
    const fingerprint = {
      version: FINGERPRINT_VERSION,
      // Computed after the schemas are converted, because a recursive schema writes different JSON once its library has
      // followed the reference.
      spec32: hashFields(fields),
      sha256: digestOf(payload),
      fields: Object.fromEntries(Object.entries(payload).map(([field, value]) => [field, digestOf(value)])),
      schemas: Object.fromEntries(places.map(({ path, json }) => [path, digestOf(json)])),
      warnings: specWarnings(spec, fields, unseen),
    };
    return { spec, fields, fingerprint, payload, schemaFields: new Set(places.map(({ path }) => fieldAt(path))) };
  } catch (error) {
    throw toSpecError(error);
  }
}

const ECMASCRIPT = { profile: "ecmascript" } as const;

interface StrongPayload {
  readonly payload: FingerprintPayload;
  readonly places: readonly SchemaPlace[];
}

function strongPayload(fields: SpecFields, hasSchemas: boolean): StrongPayload {
  const { systemPrompt: prompt } = fields;
  const read = typeof prompt === "function" ? { ...fields, systemPrompt: { function: sourceOf(prompt) } } : fields;
  const { value, places } = hasSchemas ? showFields(read) : { value: read, places: [] };
  const json = parseCanonical(canonicalText(value as SpecPayload, places.length), ECMASCRIPT) as FingerprintPayload;
  const present = (Object.keys(fields) as SpecField[]).filter((field) => Object.hasOwn(json, field));
  return { payload: Object.fromEntries(present.map((field) => [field, json[field]!])), places };
}

function showFields(read: SpecPayload): ShownValue {
  try {
    return showSchemas(read);
  } catch (error) {
    throw error instanceof SpecError ? error : locate(read, error);
  }
}

function canonicalText(shown: SpecPayload, schemas: number): string {
  try {
    const text = canonicalize(shown, ECMASCRIPT);
    if (text.includes('"~standard":')) refuseLateSchemas(parseCanonical(text, ECMASCRIPT), schemas);
    return text;
  } catch (error) {
    throw error instanceof SpecError ? error : locate(shown, error);
  }
}

/** Returns the SHA-256 of the canonical text of a value. */
export function digestOf(value: unknown): string {
  return hashCanonical(value, ECMASCRIPT);
}

const SPEC32 = /^[0-9a-f]{1,8}$/;

/**
 * Returns whether a value from storage or a file is a complete fingerprint. Its warnings may be missing, and so may its
 * version, which fingerprints of the first rule do not have. A fingerprint of version 3 contains the digests of its
 * schemas, possibly none.
 */
export function isFingerprint(value: unknown): value is SpecFingerprint {
  if (!isObject(value)) return false;
  const { version = 1, spec32, sha256, fields, schemas } = value;
  const isVersion = Number.isSafeInteger(version) && (version as number) >= 1;
  const isSpec32 = typeof spec32 === "string" && SPEC32.test(spec32);
  const hasSchemas = version !== FINGERPRINT_VERSION || isDigests(schemas);
  return isVersion && isSpec32 && isSha256Hex(sha256) && isDigests(fields) && hasSchemas;
}

function isDigests(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isSha256Hex);
}

/** Returns whether a value from storage or a file is a fingerprint's payload. */
export function isPayloadOf(value: unknown, { sha256 }: SpecFingerprint): value is FingerprintPayload {
  try {
    return isObject(value) && digestOf(value) === sha256;
  } catch {
    return false;
  }
}
