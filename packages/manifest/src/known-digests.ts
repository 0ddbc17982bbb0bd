import { sha256Hex } from "@agentprint/canonical-json";
import type { CapabilityManifest } from "./capability-manifest.ts";

/** Digests of manifests that were parsed here. They are frozen through and through, so that no digest goes stale. */
const DIGESTS = new WeakMap<CapabilityManifest, string>();

/** Freezes a manifest with all that is in it, and keeps the digest of its canonical bytes. */
export function freezeWithDigest(manifest: CapabilityManifest, canonical: Uint8Array): void {
  freeze(manifest);
  DIGESTS.set(manifest, sha256Hex(canonical));
}

/** The digest of a frozen manifest; none for one that was made in another way. */
export function knownDigest(manifest: CapabilityManifest): string | undefined {
  return DIGESTS.get(manifest);
}

function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  Object.freeze(value);
  if (Array.isArray(value)) for (const item of value) freeze(item);
  else for (const name in value) freeze((value as { readonly [name: string]: unknown })[name]);
}
