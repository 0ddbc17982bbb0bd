import type { CapabilityManifest, ManifestDiff, ManifestWarning } from "@agentprint/manifest";

/** The name that a client gave a change, and what the change is, as SHA-256. */
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
  /** The name that the client gave the change, so that it can repeat it. */
  readonly idempotency?: IdempotencyName | undefined;
  /** Whether it is a version that a rollback lost, which comes before every new one. */
  readonly isGivenBack?: boolean;
  /** Refuses the current version of the agent by throwing; by default every version is accepted. */
  readonly checkPresent?: (present: { readonly version: number; readonly hash: string }) => void;
}

/** A version that was accepted, or would be. */
export interface Publication {
  readonly agentId: string;
  readonly version: number;
  readonly hash: string;
  readonly diff: ManifestDiff;
  readonly warnings: readonly ManifestWarning[];
  /** Whether the change was stored by an earlier request with the same name. */
  readonly isRepeated?: boolean;
  /** The version before. Numbers between the two were lost in a rollback. */
  readonly previous?: { readonly version: number; readonly hash: string; readonly manifest: CapabilityManifest };
}
