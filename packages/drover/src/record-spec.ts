import { checkArgument } from "./check-argument.ts";
import type { SpecHashOptions } from "./covered-fields.ts";
import { type FingerprintPayload, readFingerprint, type SpecFingerprint } from "./fingerprint-spec.ts";
import type { AgentSpec } from "./spec.ts";

/** The columns of a run row about its spec: the hash, the strong fingerprint, and the fingerprint's payload. */
export interface SpecRecord {
  readonly agentId: string;
  readonly specHash: string;
  readonly specFingerprint: SpecFingerprint;
  readonly specPayload: FingerprintPayload;
}

/**
 * Returns the columns to record when a run starts or pauses. The payload contains the spec's texts: omit it if they
 * must not be stored; a refusal then names the drifted fields without JSON Pointers.
 *
 * @throws {@link SpecError} the codes of {@link fingerprintSpec} when the spec cannot be hashed
 * @example
 * ```ts
 * import { checkResume, recordSpec } from "@agentprint/drover";
 *
 * const spec = { id: "writer", systemPrompt: "Write.", tools: [{ name: "read", maxBytes: 10 }] };
 * const run = { ...recordSpec(spec), status: "paused" };
 * const storage = { loadRun: async () => run, loadLatestCheckpoint: async () => ({ messages: [] }) };
 * const edited = { ...spec, tools: [{ name: "read", maxBytes: 20 }] };
 * const check = await checkResume(edited, "run_1", { storage });
 * if (!check.ok) console.log(check.error.pointers); // ["/tools/0/maxBytes"]
 * ```
 */
export function recordSpec(spec: AgentSpec, options: SpecHashOptions = {}): SpecRecord {
  checkArgument("options", options, "object");
  const { fingerprint, payload } = readFingerprint(spec, options);
  return { agentId: spec.id, specHash: fingerprint.spec32, specFingerprint: fingerprint, specPayload: payload };
}
