import type { ThoughtRecord } from "@agentprint/trail";
import type { TrailStore } from "@agentprint/trail-store";

/** The remaining records of a task, and the number of records dropped before them. */
export interface StoredTask {
  readonly dropped: number;
  /** Reads the records from the first on. Throws `overtaken` if records were dropped since the task was opened. */
  readonly read: () => AsyncGenerator<ThoughtRecord, void>;
}

/** Opens a task for reading: every record is read with the same dropped records before it. */
export async function openTask(store: TrailStore, task: string): Promise<StoredTask> {
  const dropped = await store.dropped(task);
  return {
    dropped,
    read: async function* () {
      yield* store.read(task);
      await store.dropped(task, dropped);
    },
  };
}
