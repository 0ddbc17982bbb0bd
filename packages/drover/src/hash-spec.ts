import { checkArgument } from "./check-argument.ts";
import {
  locate,
  readCoveredFields,
  type SpecFields,
  type SpecHashOptions,
  type SpecPayload,
  sourceOf,
} from "./covered-fields.ts";
import { showSchemas } from "./show-schemas.ts";
import type { AgentSpec } from "./spec.ts";

/**
 * Returns the 32-bit hash that is recorded when a run starts and compared when it resumes: 1–8 lowercase hex digits,
 * not padded.
 *
 * This hash detects edits. The hash does not resist an attacker, who can find two specs with the same hash in seconds:
 * use {@link fingerprintSpec} against attackers.
 *
 * @throws {@link SpecError} the codes of {@link specHashPayload} when the spec cannot be hashed
 * @see Spec hash & drift, "What's covered"
 * @example
 * ```ts
 * import { hashSpec } from "@agentprint/drover";
 *
 * console.log(hashSpec({ id: "writer", systemPrompt: "Write." })); // "759df975"
 * ```
 */
export function hashSpec(spec: AgentSpec, options: SpecHashOptions = {}): string {
  checkArgument("options", options, "object");
  return hashFields(readCoveredFields(spec, options));
}

/**
 * Returns the exact JSON text that {@link hashSpec} hashes: the plain `JSON.stringify` output for the covered fields in
 * their order. If a library's schema is recursive, `JSON.stringify` cannot write it, and each schema is written as in
 * {@link specFingerprintPayload}.
 *
 * @throws {@link SpecError} `invalid-spec`, `missing-system-prompt` or `invalid-plugins` when the spec lacks a required
 * part, `unknown-coverage` when there is no field list with the given name
 * @throws {@link SpecError} `cycle`, `bigint`, `too-deep` or `unreadable` when a field has no JSON text
 * @see Spec hash & drift, "What's covered"
 * @example
 * ```ts
 * import { specHashPayload } from "@agentprint/drover";
 *
 * console.log(specHashPayload({ id: "writer", systemPrompt: "Write." }));
 * // {"id":"writer","systemPrompt":"Write.","quota":null,"pluginIds":[],"memory":null,"instructionFiles":null,"promptTemplate":null}
 * ```
 */
export function specHashPayload(spec: AgentSpec, options: SpecHashOptions = {}): string {
  checkArgument("options", options, "object");
  return writeFields(readCoveredFields(spec, options));
}

/** Returns the 32-bit hash of fields that were read from a spec. */
export function hashFields(fields: SpecFields): string {
  const text = writeFields(fields);
  let hash = 0;
  for (let index = 0; index < text.length; index++) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  }
  return (hash >>> 0).toString(16);
}

/**
 * Returns the JSON text of fields that were read from a spec. A prompt function is written as its source. If a
 * library's schema is recursive, `JSON.stringify` cannot write it, and all schemas are written as in the strong
 * fingerprint.
 */
function writeFields(fields: SpecFields): string {
  const { systemPrompt } = fields;
  const payload = typeof systemPrompt === "function" ? { ...fields, systemPrompt: sourceOf(systemPrompt) } : fields;
  try {
    return JSON.stringify(payload);
  } catch (error) {
    const text = withShownSchemas(payload);
    if (text === undefined) throw locate(payload, error);
    return text;
  }
}

function withShownSchemas(payload: SpecPayload): string | undefined {
  try {
    return JSON.stringify(showSchemas(payload).value);
  } catch {
    return undefined;
  }
}
