import { hashCanonical } from "@agentprint/canonical-json";
import type { SpecField } from "./coverage.ts";
import { hashSpec } from "./hash-spec.ts";
import { locate, readSpec, type SpecHashOptions, type SpecPayload, source } from "./payload.ts";
import type { AgentSpec } from "./spec.ts";
import { type SpecWarning, specWarnings } from "./spec-warnings.ts";

/** SHA-256 of each field that is present, 64 lowercase hex digits. */
export type FieldDigests = { readonly [field in SpecField]?: string };

/** The strong fingerprint of a spec, to be recorded beside the 32-bit hash. */
export interface SpecFingerprint {
  /** The 32-bit hash, as {@link hashSpec} gives it. */
  readonly spec32: string;
  /** SHA-256 of the canonical payload, 64 lowercase hex digits. */
  readonly sha256: string;
  readonly fields: FieldDigests;
  /** What no hash of this spec can see. */
  readonly warnings: readonly SpecWarning[];
}

/**
 * The object whose canonical JSON the strong fingerprint hashes: the covered fields; a prompt function is
 * `{ "function": source }`, so that it cannot be mistaken for a prompt text that reads the same.
 *
 * @throws SpecError `invalid-spec`, `missing-system-prompt`, `invalid-plugins`, `unknown-coverage`, `unreadable`
 */
export function specFingerprintPayload(spec: AgentSpec, options: SpecHashOptions = {}): SpecPayload {
  return withoutOmitted(coverSpec(spec, options));
}

function coverSpec(spec: AgentSpec, options: SpecHashOptions): SpecPayload {
  return readSpec(spec, options.coverage, (prompt) =>
    typeof prompt === "function" ? { function: source(prompt) } : prompt,
  );
}

/**
 * The 32-bit hash of a spec together with the SHA-256 of the whole and of each field, over canonical JSON:
 * the order of keys does not matter, the order of arrays does.
 *
 * @throws SpecError as {@link specHashPayload}, and `opaque-object` for a Map, a Set or another object whose content JSON cannot see
 *
 * @example
 * ```ts
 * import { fingerprintSpec } from "@agentprint/drover";
 *
 * const { spec32, sha256, fields } = fingerprintSpec({ id: "writer", systemPrompt: "Write." });
 * console.log(spec32, sha256.length, Object.keys(fields).length); // 759df975 64 7
 * ```
 */
export function fingerprintSpec(spec: AgentSpec, options: SpecHashOptions = {}): SpecFingerprint {
  const spec32 = hashSpec(spec, options);
  const covered = coverSpec(spec, options);
  const payload = withoutOmitted(covered);
  try {
    return {
      spec32,
      sha256: digest(payload),
      fields: Object.fromEntries(Object.entries(payload).map(([field, value]) => [field, digest(value)])),
      warnings: specWarnings(spec.systemPrompt, covered),
    };
  } catch (error) {
    throw locate(payload, error);
  }
}

function digest(value: unknown): string {
  return hashCanonical(value, { profile: "ecmascript" });
}

/** What `JSON.stringify` leaves out of an object. */
function withoutOmitted(covered: SpecPayload): SpecPayload {
  return Object.fromEntries(
    Object.entries(covered).filter(([, value]) => !["undefined", "function", "symbol"].includes(typeof value)),
  );
}
