import {
  type CapabilityManifest,
  diffManifests,
  type JudgedManifestDiff,
  judgeSchemaChanges,
} from "@agentprint/manifest";
import { LRUCache } from "lru-cache";

/** UTF-16 units of the JSON of diffs that are kept. */
const MAX_KEPT_UNITS = 4 * 1024 * 1024;

/** Judged diffs of pairs of manifests: what two hashes stand for never changes. */
export class DiffJudge {
  readonly #kept = new LRUCache<string, JudgedManifestDiff>({ maxSize: MAX_KEPT_UNITS });

  /** The diff of two manifests, with what each changed schema means for calls and a counterexample. */
  judge(
    before: { readonly hash: string; readonly manifest: CapabilityManifest },
    after: { readonly hash: string; readonly manifest: CapabilityManifest },
  ): JudgedManifestDiff {
    const key = `${before.hash}-${after.hash}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const judged = judgeSchemaChanges(diffManifests(before.manifest, after.manifest));
    this.#kept.set(key, judged, { size: JSON.stringify(judged).length });
    return judged;
  }
}
