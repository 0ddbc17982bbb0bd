import { deepFreeze, sha256Hex } from "@agentprint/canonical-json";
import type { CapabilityManifest } from "./capability-manifest.ts";

/** Digests of manifests that were parsed here. They are frozen through and through, so that no digest goes stale. */
const DIGESTS = new WeakMap<CapabilityManifest, string>();

/** Freezes a manifest with all that is in it, and keeps the digest of its canonical bytes. */
export function freezeWithDigest(manifest: CapabilityManifest, canonical: Uint8Array): void {
  deepFreeze(manifest);
  DIGESTS.set(manifest, sha256Hex(canonical));
}

/** The digest of a frozen manifest; none for one that was made in another way. */
export function knownDigest(manifest: CapabilityManifest): string | undefined {
  return DIGESTS.get(manifest);
}
