import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import {
  type CapabilityManifest,
  diffManifests,
  type JudgedManifestDiff,
  type ManifestDiff,
} from "@agentprint/manifest";
import { LRUCache } from "lru-cache";
import { RegistryError } from "../errors.ts";

/** UTF-16 units of the JSON of diffs that are kept. */
const MAX_KEPT_UNITS = 4 * 1024 * 1024;
/** Diffs that wait for the thread at the same time. */
const MAX_WAITING = 32;
// The thread lies beside this module, in the sources and where both are built.
const EXTENSION = extname(import.meta.url);
const ENTRY = new URL(`./judge-worker${EXTENSION}`, import.meta.url);
const EXEC_ARGV = EXTENSION === ".ts" ? ["--conditions=@agentprint/source"] : [];

/** A manifest with its hash. */
export interface HashedManifest {
  readonly hash: string;
  readonly manifest: CapabilityManifest;
}

interface Waiting {
  readonly resolve: (judged: JudgedManifestDiff) => void;
  readonly reject: (error: unknown) => void;
}

/** Judges diffs in a thread of its own, and keeps them: what two hashes stand for never changes. */
export class DiffJudge {
  readonly #kept = new LRUCache<string, JudgedManifestDiff>({ maxSize: MAX_KEPT_UNITS });
  /** Those that are being judged, so that nobody fills the places by asking for one diff again and again. */
  readonly #asked = new Map<string, Promise<JudgedManifestDiff>>();
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #count = 0;

  /**
   * The diff of two manifests, with what each changed schema means for calls and a counterexample.
   *
   * @throws {@link RegistryError} `UNAVAILABLE` when too many diffs wait already, or the thread ended.
   */
  async judge(before: HashedManifest, after: HashedManifest): Promise<JudgedManifestDiff> {
    const key = `${before.hash}-${after.hash}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const diff = diffManifests(before.manifest, after.manifest);
    if (!diff.breaking.some(({ kind }) => kind === "input_schema_changed")) return diff;
    const asked = this.#asked.get(key) ?? this.#ask(diff);
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
    await this.#worker?.terminate();
  }

  async #ask(diff: ManifestDiff): Promise<JudgedManifestDiff> {
    if (this.#waiting.size >= MAX_WAITING) {
      const message = "too many diffs are being compared";
      throw new RegistryError("UNAVAILABLE", message, { headers: { "retry-after": "2" } });
    }
    return new Promise((resolve, reject) => {
      const id = this.#count++;
      this.#waiting.set(id, { resolve, reject });
      this.#worker ??= this.#start();
      this.#worker.postMessage({ id, diff });
    });
  }

  #start(): Worker {
    const worker = new Worker(ENTRY, { execArgv: EXEC_ARGV });
    worker.unref();
    worker.on("message", ({ id, judged }: { readonly id: number; readonly judged: JudgedManifestDiff }) => {
      this.#waiting.get(id)?.resolve(judged);
      this.#waiting.delete(id);
    });
    // An error of the thread also ends it.
    worker.on("error", () => {});
    worker.on("exit", () => {
      this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) {
        reject(new RegistryError("UNAVAILABLE", "the thread that compares schemas ended"));
      }
      this.#waiting.clear();
    });
    return worker;
  }
}
