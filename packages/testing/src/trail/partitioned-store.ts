import {
  type CheckpointTrust,
  createNoteKeys,
  createNoteSigner,
  createNoteVerifier,
} from "@agentprint/trail/checkpoint";
import { type CheckpointOptions, openTrailStore, type TrailStore, type VerifyOptions } from "@agentprint/trail-store";
import pg from "pg";

export const thought = { type: "plan", task_id: "t", agent_id: "a", content: "c" } as const;

type Keys = ReturnType<typeof createNoteKeys>;

const keysOf = (seed: number): Keys => createNoteKeys(`example.com/${seed}`, new Uint8Array(32).fill(seed));

/** The keys of the trusted log. */
export const log: Keys = keysOf(1);
/** The keys of another log. */
export const other: Keys = keysOf(2);

export const options = (origin: string, keys: Keys = log): CheckpointOptions => ({
  origin,
  signers: [createNoteSigner(keys.signerKey)],
});
export const trust = (origin: string): CheckpointTrust => ({ origin, log: createNoteVerifier(log.verifierKey) });
export const trusting: VerifyOptions = { trust: (taskId) => trust(taskId) };

/** A partitioned store, and a connection as the owner of its tables. */
export interface PartitionedStore {
  readonly store: TrailStore;
  readonly owner: pg.Client;
  /** Returns the server's time after a number of milliseconds, without microseconds. */
  readonly clock: (inMs?: number) => Promise<Date>;
  /**
   * Appends a number of records to each task, and turns everything stored so far into the partition `thoughts_old`,
   * which ends in `inMs` milliseconds; later records go to the next one. Returns its end.
   */
  readonly endPartition: (tasks: Readonly<Record<string, number>>, inMs?: number) => Promise<Date>;
  readonly close: () => Promise<void>;
}

export async function openPartitioned(url: string): Promise<PartitionedStore> {
  const store = await openTrailStore(url, { partitioned: true });
  const owner = new pg.Client(url);
  await owner.connect();
  const clock = async (inMs = 0): Promise<Date> => {
    const { rows } = await owner.query<{ now: Date }>(
      "select date_trunc('milliseconds', clock_timestamp()) + make_interval(secs => $1 / 1000.0) as now",
      [inMs],
    );
    return rows[0]?.now as Date;
  };
  const endPartition = async (tasks: Readonly<Record<string, number>>, inMs = 1): Promise<Date> => {
    for (const [task_id, count] of Object.entries(tasks)) {
      await store.appendAll(Array.from({ length: count }, () => ({ ...thought, task_id })));
    }
    const end = await clock(inMs);
    await owner.query(`alter table thoughts detach partition thoughts_default;
      alter table thoughts_default rename to thoughts_old;
      alter table thoughts attach partition thoughts_old for values from (minvalue) to ('${end.toISOString()}');
      create table thoughts_default partition of thoughts default`);
    return end;
  };
  const close = async (): Promise<void> => {
    await Promise.all([store.close(), owner.end()]);
  };
  return { store, owner, clock, endPartition, close };
}
