import { canonicalize, hashCanonical } from "@agentprint/canonical-json";
import type { CapabilityManifest } from "./capability-manifest.ts";
import { knownDigest } from "./known-digests.ts";

/**
 * Returns a manifest's canonical JSON (RFC 8785), which {@link hashManifest} hashes. Nothing is added or left out.
 *
 * @throws {@link CanonicalJsonError} when the value is not JSON. A manifest returned by {@link parseManifest} is always
 * JSON.
 *
 * @example
 * ```ts
 * import { canonicalizeManifest } from "@agentprint/manifest";
 *
 * const manifest = { schema_version: "1.0", agent_version: "1.0.0", tools: [], permission_scopes: [], capability_flags: {} } as const;
 * console.log(canonicalizeManifest(manifest).slice(0, 46)); // {"agent_version":"1.0.0","capability_flags":{}
 * ```
 */
export function canonicalizeManifest(manifest: CapabilityManifest): string {
  return canonicalize(manifest);
}

/**
 * Returns the `capability_manifest_hash`: the SHA-256 of {@link canonicalizeManifest}'s text, as 64 lowercase hex
 * digits.
 *
 * @throws {@link CanonicalJsonError} when the value is not JSON. A manifest returned by {@link parseManifest} is always
 * JSON.
 *
 * @example
 * ```ts
 * import { hashManifest } from "@agentprint/manifest";
 *
 * const manifest = { schema_version: "1.0", agent_version: "1.0.0", tools: [], permission_scopes: [], capability_flags: {} } as const;
 * console.log(hashManifest(manifest).length); // 64
 * ```
 */
export function hashManifest(manifest: CapabilityManifest): string {
  return knownDigest(manifest) ?? hashCanonical(manifest);
}
