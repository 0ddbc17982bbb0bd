import type { CapabilityManifest } from "./capability-manifest.ts";
import { checkArgument } from "./check-argument.ts";
import type { Change } from "./diff/change.ts";
import { diffManifests, type ManifestDiff } from "./diff/diff-manifests.ts";
import { ManifestError } from "./errors.ts";
import { hashManifest } from "./hash-manifest.ts";
import type { ManifestWarning } from "./issue.ts";
import { knownDigest } from "./known-digests.ts";
import { parseManifest } from "./parse/parse-manifest.ts";

/** An accepted version of an agent's manifest. The next version is compared with this one. */
export interface PublishedManifest {
  readonly agent_id?: string;
  /** 1 for the first accepted manifest, plus 1 for each later manifest, even an identical one. */
  readonly capability_manifest_version: number;
  /** 64 lowercase hex digits. */
  readonly capability_manifest_hash: string;
  readonly breaking_changes: readonly Change[];
  readonly warnings: readonly ManifestWarning[];
  /** All changes since the previous version. */
  readonly diff: ManifestDiff;
  readonly manifest: CapabilityManifest;
}

/** The members of the last version on which the next version depends. */
export type PreviousManifest = Pick<
  PublishedManifest,
  "agent_id" | "capability_manifest_version" | "capability_manifest_hash" | "manifest"
>;

/** The answer to an accepted PATCH request, in the specification's form. */
export interface PublishResponse {
  readonly agent_id?: string;
  readonly capability_manifest_version: number;
  readonly capability_manifest_hash: string;
  readonly breaking_changes: readonly Change[];
}

/**
 * Accepts an agent's next manifest: validates it, assigns the next version, hashes it, and lists its breaking changes.
 *
 * This function stores nothing, and a refused manifest uses up no version. Two writers that publish on top of the same
 * previous version get the same number, so a caller must store the result only if the previous version is still the
 * last one.
 *
 * @param previous - the last accepted version; absent for the first
 * @param next - JSON as a string or UTF-8 bytes, or a value that is already parsed
 * @throws {@link ManifestError} with the code of the first issue, and all issues, when the next manifest is invalid.
 * @throws {@link ManifestError} `INVALID_PREVIOUS` when the previous version is invalid, or its hash does not match its
 * manifest.
 *
 * @example
 * ```ts
 * import { publishManifest } from "@agentprint/manifest";
 *
 * const manifest = { schema_version: "1.0", agent_version: "1.0.0", tools: [], permission_scopes: [], capability_flags: {} };
 * const first = publishManifest(undefined, manifest, { agentId: "demo" });
 * const second = publishManifest(first, { ...manifest, agent_version: "1.1.0" });
 * console.log(second.agent_id, second.capability_manifest_version); // demo 2
 * console.log(second.breaking_changes.length); // 0
 * ```
 */
export function publishManifest(
  previous: PreviousManifest | null | undefined,
  next: unknown,
  options: { readonly agentId?: string } = {},
): PublishedManifest {
  const last = previous ?? undefined;
  if (last) checkPrevious(last);
  const parsed = parseManifest(next);
  if (!parsed.ok) {
    const [first] = parsed.issues;
    throw new ManifestError(first?.code ?? "INVALID_JSON", first?.path ?? "", first?.message ?? "", parsed.issues);
  }
  const { manifest, warnings } = parsed;
  const diff = last ? diffManifests(last.manifest, manifest) : { breaking: [], nonBreaking: [], unclassified: [] };
  const agentId = options.agentId ?? last?.agent_id;
  return {
    ...(agentId !== undefined && { agent_id: agentId }),
    capability_manifest_version: (last?.capability_manifest_version ?? 0) + 1,
    capability_manifest_hash: hashManifest(manifest),
    breaking_changes: diff.breaking,
    warnings,
    diff,
    manifest,
  };
}

/**
 * Returns the answer to a PATCH request: only the four fields that the specification defines.
 *
 * @example
 * ```ts
 * import { publishManifest, publishResponse } from "@agentprint/manifest";
 *
 * const manifest = { schema_version: "1.0", agent_version: "1.0.0", tools: [], permission_scopes: [], capability_flags: {} };
 * const response = publishResponse(publishManifest(undefined, manifest, { agentId: "demo" }));
 * console.log(Object.keys(response).length); // 4
 * ```
 */
export function publishResponse(published: PublishedManifest): PublishResponse {
  checkArgument("published", published, { manifest: "object" });
  const { agent_id, capability_manifest_version, capability_manifest_hash, breaking_changes } = published;
  return {
    ...(agent_id !== undefined && { agent_id }),
    capability_manifest_version,
    capability_manifest_hash,
    breaking_changes,
  };
}

function checkPrevious({
  capability_manifest_version: version,
  capability_manifest_hash,
  manifest,
}: PreviousManifest): void {
  if (!Number.isSafeInteger(version) || version < 1 || version === Number.MAX_SAFE_INTEGER) {
    const message = `Expected a version from 1 to ${Number.MAX_SAFE_INTEGER - 1}, received ${String(version)}`;
    throw new ManifestError("INVALID_PREVIOUS", "/capability_manifest_version", message);
  }
  // If a manifest's digest is known, this package parsed and froze the manifest, so it is still valid.
  const parsed = knownDigest(manifest) === undefined ? parseManifest(manifest) : undefined;
  if (parsed?.ok === false) {
    const [issue] = parsed.issues;
    const message = `Expected the previous manifest to be valid: ${issue?.message}`;
    throw new ManifestError("INVALID_PREVIOUS", `/manifest${issue?.path}`, message, parsed.issues);
  }
  const hash = hashManifest(manifest);
  if (hash !== capability_manifest_hash) {
    const message = `Expected ${hash}, the hash of the previous manifest, received ${capability_manifest_hash}`;
    throw new ManifestError("INVALID_PREVIOUS", "/capability_manifest_hash", message);
  }
}
