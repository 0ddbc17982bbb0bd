import type { CapabilityManifest, ManifestDiff, ManifestWarning } from "@agentprint/manifest";

/** The name that a client gave to a change, and the SHA-256 of the change. */
export interface IdempotencyName {
  readonly name: string;
  readonly digest: string;
}

/** A manifest to publish as the next version of an agent. */
export interface Submission {
  readonly agentId: string;
  readonly keyId: string;
  readonly manifest: CapabilityManifest;
  readonly warnings: readonly ManifestWarning[];
  /** The name that the client gave to the change, so that it can repeat the request. */
  readonly idempotency?: IdempotencyName | undefined;
  /** Whether this is a version lost in a rollback; lost versions must be restored before any new one. */
  readonly isGivenBack?: boolean;
  /** Throws if the change must not follow the agent's current version; by default it may follow any version. */
  readonly checkPresent?: (present: { readonly version: number; readonly hash: string }) => void;
}

/** A version that was accepted, or would be. */
export interface Publication {
  readonly agentId: string;
  readonly version: number;
  readonly hash: string;
  readonly diff: ManifestDiff;
  readonly warnings: readonly ManifestWarning[];
  /** Whether an earlier request with the same name stored the change. */
  readonly isRepeated?: boolean;
  /** The previous version. The numbers between this version and the new one were lost in a rollback. */
  readonly previous?: { readonly version: number; readonly hash: string; readonly manifest: CapabilityManifest };
}
