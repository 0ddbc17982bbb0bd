import {
  type CapabilityManifest,
  diffManifests,
  type JudgedManifestDiff,
  type ManifestDiff,
} from "@agentprint/manifest";
import { LRUCache } from "lru-cache";
import { Thread } from "../thread.ts";

/** The maximum size of all cached diffs, in UTF-16 units of JSON. */
const MAX_KEPT_UNITS = 2 * 1024 * 1024;
/** The maximum number of diffs waiting for the thread. */
const MAX_WAITING = 32;

/** A manifest with its hash. */
export interface HashedManifest {
  readonly hash: string;
  readonly manifest: CapabilityManifest;
}

/** Judges diffs in a separate thread and caches them, because the diff of two hashes never changes. */
export class DiffJudge {
  readonly #kept = new LRUCache<string, JudgedManifestDiff>({ maxSize: MAX_KEPT_UNITS });
  /** Diffs in progress, so that repeated requests for one diff cannot fill the slots. */
  readonly #asked = new Map<string, Promise<JudgedManifestDiff>>();
  readonly #thread = new Thread<ManifestDiff, JudgedManifestDiff>({
    entry: "judge-worker",
    beside: import.meta.url,
    name: "the thread that compares schemas",
    maxWaiting: MAX_WAITING,
  });

  /**
   * Returns the diff of two manifests, with the effect of each changed schema on calls and a counterexample.
   *
   * @throws {@link RegistryError} `UNAVAILABLE` when too many diffs are waiting or the thread has ended.
   */
  async judge(before: HashedManifest, after: HashedManifest): Promise<JudgedManifestDiff> {
    const key = `${before.hash}-${after.hash}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const diff = diffManifests(before.manifest, after.manifest);
    if (!diff.breaking.some(({ kind }) => kind === "input_schema_changed")) return diff;
    const asked = this.#asked.get(key) ?? this.#thread.ask(diff);
    this.#asked.set(key, asked);
    try {
      const judged = await asked;
      this.#kept.set(key, judged, { size: JSON.stringify(judged).length });
      return judged;
    } finally {
      this.#asked.delete(key);
    }
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.#thread.close();
  }
}
