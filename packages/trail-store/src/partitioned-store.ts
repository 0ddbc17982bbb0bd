import type { CheckpointTrust } from "@agentprint/trail/checkpoint";
import type { Backend } from "./database/backend.ts";
import { DEFAULT_RETRY_FOR_MS, retrying } from "./database/retry.ts";
import { readLastBefore } from "./read/read-thoughts.ts";
import { checkProven } from "./read/stored-checkpoints.ts";
import type { CheckpointOptions, Partition, Time } from "./store-options.ts";

/** The methods of a `TrailStore` for tables that are partitioned by the time of storing. */
export abstract class PartitionedStore {
  readonly #backend: Backend;
  readonly #retryForMs: number;
  readonly #writes = new Set<Promise<unknown>>();

  constructor(backend: Backend, retryForMs: number = DEFAULT_RETRY_FOR_MS) {
    this.#backend = backend;
    this.#retryForMs = retryForMs;
  }

  /** Yields the tasks in the store. */
  abstract tasks(): AsyncIterable<{ readonly taskId: string }>;

  /**
   * Partitions the tables of a PostgreSQL store that is not partitioned, in one transaction, and returns the partition
   * of its records, which count as stored at that moment; `undefined` if the store is already partitioned. Readers and
   * writers wait meanwhile, and continue without reopening the store.
   *
   * @throws {@link TrailStoreError} `not-a-trail-store` when the tables have a foreign view, foreign key or trigger,
   * and for SQLite; `unavailable` when the role does not own the tables; `busy` when others keep the tables busy.
   */
  async partition(): Promise<Partition | undefined> {
    return this.try(() => this.#backend.partition());
  }

  /**
   * Returns the partitions that end at or before `time`, oldest first.
   *
   * @throws {@link TrailStoreError} `not-a-trail-store` when the store is not partitioned, `not-droppable` when a
   * record from before their end is in a partition without an end.
   * @throws {@link TrailError} `invalid-time` when `time` is later than the database's clock.
   */
  async partitionsBefore(time: Time): Promise<readonly Partition[]> {
    return this.try(() => this.#backend.partitionsBefore(time));
  }

  /**
   * For each task, signs the records that were stored before `time`, stores the note next to the chain and yields it. A
   * note proves its records by their root, so that the later records can still be verified once these are gone: {@link
   * dropBefore} drops the partitions that end at `time`, and `verify` then reports the records as `dropped`. Calling it
   * again after an interruption signs the same records.
   *
   * @param optionsOf returns how a task's checkpoint is signed; it always covers the authors
   * @throws {@link TrailStoreError} `not-a-trail-store` when the store is not partitioned, and the errors of {@link checkpoint}.
   * @throws {@link TrailError} `invalid-time` when `time` is later than the database's clock.
   */
  async *checkpointBefore(
    time: Time,
    optionsOf: (taskId: string) => CheckpointOptions,
  ): AsyncGenerator<{ taskId: string; note: string }, void> {
    await this.try(() => this.#backend.settleBefore(time));
    for await (const { taskId } of this.tasks()) {
      const last = await this.try(() => readLastBefore(this.#backend, taskId, time));
      if (last !== undefined) yield { taskId, note: await this.sign(taskId, optionsOf(taskId), last) };
    }
  }

  /**
   * Drops the partitions that end at or before `time` in one transaction, if for each task a stored checkpoint that
   * `trust` accepts covers exactly its records in them. Writers wait meanwhile. If the partitions are already gone,
   * nothing happens.
   *
   * @throws {@link TrailStoreError} `not-droppable` when no such checkpoint covers a task's records; `busy` when
   * readers keep the tables busy; and the errors of {@link partitionsBefore}. Nothing was dropped.
   */
  async dropBefore(time: Time, trust: (taskId: string) => CheckpointTrust): Promise<void> {
    await this.try(() => this.#backend.dropBefore(time, (ends) => checkProven(ends, trust)));
  }

  /** Signs a task's chain; if `last` is given, its records up to this position, and their range. */
  protected abstract sign(taskId: string, options: CheckpointOptions, last?: number): Promise<string>;

  /** Like {@link try}, for an operation that {@link settleWrites} waits for. */
  protected async write<T>(attempt: () => Promise<T>): Promise<T> {
    const written = this.try(attempt);
    this.#writes.add(written);
    try {
      return await written;
    } finally {
      this.#writes.delete(written);
    }
  }

  /** Waits for the outcomes of the operations that write. */
  protected async settleWrites(): Promise<void> {
    await Promise.allSettled(this.#writes);
  }

  /** Retries an operation for as long as the database is busy, up to the time limit. */
  protected try<T>(attempt: () => Promise<T>): Promise<T> {
    return retrying(this.#backend.classify, this.#retryForMs, attempt);
  }
}
