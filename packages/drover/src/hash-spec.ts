import { readSpec, type SpecFields, type SpecHashOptions, writeFields } from "./payload.ts";
import type { AgentSpec } from "./spec.ts";

/**
 * The 32-bit hash that is recorded when a run starts and compared when it resumes: 1–8 lowercase hex digits, not padded.
 *
 * It notices edits; it does not resist someone who looks for a collision. Use {@link fingerprintSpec} for that.
 *
 * Specification: "Hash format".
 *
 * @throws SpecError as {@link specHashPayload}
 *
 * @example
 * ```ts
 * import { hashSpec } from "@agentprint/drover";
 *
 * console.log(hashSpec({ id: "writer", systemPrompt: "Write." })); // "759df975"
 * ```
 */
export function hashSpec(spec: AgentSpec, options: SpecHashOptions = {}): string {
  return hashFields(readSpec(spec, options));
}

/** The 32-bit hash of fields that were read. */
export function hashFields(fields: SpecFields): string {
  const text = writeFields(fields);
  let hash = 0;
  for (let index = 0; index < text.length; index++) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  }
  return (hash >>> 0).toString(16);
}
