/**
 * Where the keys of encrypted contents are kept, one per task. Deleting a key erases its task's contents in every copy
 * of the trail.
 */
export interface ContentKeys {
  /** Returns the 32-byte key of a task; `undefined` if there is none, or none any longer. */
  readonly get: (task: string) => Promise<Uint8Array | undefined>;
  /** Returns the key of a task, and creates it if there is none; concurrent callers all get the same key. */
  readonly create: (task: string) => Promise<Uint8Array>;
  /** Deletes the key of a task, and resolves to whether there was one. */
  readonly delete: (task: string) => Promise<boolean>;
}
