import { deepFreeze, sha256Hex } from "@agentprint/canonical-json";
import type { CapabilityManifest } from "./capability-manifest.ts";

/** The digests of manifests that this package has parsed and frozen; a frozen manifest keeps its digest. */
const DIGESTS = new WeakMap<CapabilityManifest, string>();

/** Freezes a manifest and everything in it, and stores the digest of its canonical bytes. */
export function freezeWithDigest(manifest: CapabilityManifest, canonical: Uint8Array): void {
  deepFreeze(manifest);
  DIGESTS.set(manifest, sha256Hex(canonical));
}

/** Returns the stored digest of a manifest, or `undefined` if the manifest was not parsed by this package. */
export function knownDigest(manifest: CapabilityManifest): string | undefined {
  return DIGESTS.get(manifest);
}
