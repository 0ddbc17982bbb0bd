import { type CapabilityManifest, hashManifest, parseManifest } from "@agentprint/manifest";
import { LRUCache } from "lru-cache";
import { RegistryError } from "../errors.ts";

/** The maximum size in UTF-16 units of the canonical JSON whose parsed manifests are cached. */
const MAX_KEPT_UNITS = 4 * 1024 * 1024;

/** Caches parsed manifests by their hash, because a stored manifest never changes. */
export class ManifestCache {
  readonly #kept = new LRUCache<string, CapabilityManifest>({ maxSize: MAX_KEPT_UNITS });

  /** Returns the manifest with this hash, if it is cached. */
  get(hash: string): CapabilityManifest | undefined {
    return this.#kept.get(hash);
  }

  /**
   * Returns the manifest whose stored canonical JSON is `body`.
   *
   * @throws {@link RegistryError} `CORRUPT` when `body` is not a manifest with this hash.
   */
  read({ hash, body }: { readonly hash: string; readonly body: string }): CapabilityManifest {
    const kept = this.get(hash);
    if (kept) return kept;
    const parsed = parseManifest(body);
    if (!parsed.ok || hashManifest(parsed.manifest) !== hash) {
      throw new RegistryError("CORRUPT", `the manifest stored with the hash ${hash} is a different one`);
    }
    this.#kept.set(hash, parsed.manifest, { size: body.length });
    return parsed.manifest;
  }
}
