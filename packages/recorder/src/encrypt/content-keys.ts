/**
 * Where the keys of encrypted contents are kept: one per task. Deleting a key erases the contents of its task, in every
 * copy of the trail.
 */
export interface ContentKeys {
  /** Returns the key of a task, 32 bytes; `undefined` if there is none, or no longer one. */
  readonly get: (task: string) => Promise<Uint8Array | undefined>;
  /** Returns the key of a task, which is created if there is none; concurrent callers all get the same one. */
  readonly create: (task: string) => Promise<Uint8Array>;
  /** Deletes the key of a task; resolves to whether there was one. */
  readonly delete: (task: string) => Promise<boolean>;
}
