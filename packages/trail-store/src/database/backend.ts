import type { Kysely, RawBuilder, SqlBool } from "kysely";
import type { TrailStoreError } from "../errors.ts";
import type { Partition, Time } from "../store-options.ts";
import type { StoreProblem } from "../store-problem.ts";
import type { Head, StoredThought, TrailDatabase } from "./schema.ts";

/**
 * How a database is opened: to write it, creating it if there is none; to write it only if it exists; or to read it.
 */
export type Access = "create" | "write" | "read";

/** A record's task and id; an id belongs to one record of its task. */
export type RecordKey = Pick<StoredThought, "task_id" | "id">;

/** Reads the stored records on which a plan depends. */
export interface Lookup {
  readonly byKey: (key: RecordKey) => StoredThought | undefined;
  readonly head: (taskId: string) => Head | undefined;
}

/** Decides from the stored records which records an append adds. It is called again after a conflict. */
export type Plan = (lookup: Lookup) => {
  readonly added: readonly StoredThought[];
  readonly all: readonly StoredThought[];
};

/** The records and tasks that a plan will look up. */
export interface AppendScope {
  readonly keys: readonly RecordKey[];
  readonly taskIds: readonly string[];
}

/** One transaction for many rows; no reader sees any of them before it is committed. */
export interface BulkInsert {
  readonly existing: (keys: readonly RecordKey[]) => Promise<readonly StoredThought[]>;
  readonly head: (taskId: string) => Promise<Head | undefined>;
  readonly insert: (rows: readonly StoredThought[]) => Promise<void>;
}

/** An open transaction, in which a caller runs its own statements and adds records. */
export interface OpenTransaction {
  readonly db: Kysely<TrailDatabase>;
  /** Makes the plan, and writes its records. */
  readonly append: Backend["append"];
}

/** The beginning and end of a task in partitioned tables, from which records can be dropped. */
export interface TaskEnds {
  /** The position of the first remaining record; if none remains, the position after the last record. */
  readonly first: number;
  /** The hash of the record before that one. */
  readonly before: string;
  /** The position of the record that was appended last. */
  readonly last: number;
}

/** A task's last record that a drop deletes, and the notes that cover exactly the records up to it. */
export interface DroppedEnd extends Pick<StoredThought, "task_id" | "position" | "hash"> {
  readonly notes: readonly string[];
}

/** A database that holds trails. */
export interface Backend {
  readonly db: Kysely<TrailDatabase>;
  /**
   * Makes the plan and writes its records in one transaction, which it may share with other appends. A shared
   * transaction is retried while the database is busy.
   */
  readonly append: (scope: AppendScope, plan: Plan) => Promise<readonly StoredThought[]>;
  /** Runs `work` in one transaction, without retrying; if `work` throws, nothing is stored. */
  readonly transact: <T>(work: (transaction: OpenTransaction) => Promise<T>) => Promise<T>;
  /** Runs `fill` in one transaction; if `fill` throws, nothing is stored. */
  readonly bulk: (fill: (bulk: BulkInsert) => Promise<void>) => Promise<void>;
  /**
   * Lets the database check its own structure.
   *
   * @throws {@link TrailStoreError} `corrupt` when the database is damaged.
   */
  readonly checkStructure: () => Promise<void>;
  /** Returns how the tables' triggers, rules and constraints differ from those that the store created. */
  readonly compareGuards: () => Promise<readonly StoreProblem[]>;
  /**
   * Whether the records are in partitions by the time at which they were stored; if so, the table `heads` has the last
   * record of each task.
   */
  readonly partitioned: boolean;
  /**
   * Returns the beginning and end of a task; `undefined` if it has no records, or if the tables are not partitioned.
   */
  readonly taskEnds: (taskId: string) => Promise<TaskEnds | undefined>;
  /**
   * Waits until no transaction can still store a record that counts as stored before `time`.
   *
   * @throws {@link TrailStoreError} `not-a-trail-store` when the tables are not partitioned.
   * @throws {@link TrailError} `invalid-time` when `time` is later than the database's clock.
   */
  readonly settleBefore: (time: Time) => Promise<void>;
  /**
   * Returns the partitions that end at or before `time`, oldest first.
   *
   * @throws the errors of `settleBefore`; {@link TrailStoreError} `not-droppable` when a record from before the end of
   * the last partition is in none of them.
   */
  readonly partitionsBefore: (time: Time) => Promise<readonly Partition[]>;
  /**
   * Drops these partitions in one transaction, in which `check` receives each task's last record in them; if `check`
   * throws, nothing is dropped. Throws the errors of `partitionsBefore`.
   */
  readonly dropBefore: (time: Time, check: (ends: readonly DroppedEnd[]) => void) => Promise<void>;
  /**
   * Partitions the tables; returns `undefined` if they are already partitioned.
   *
   * @throws {@link TrailStoreError} `not-a-trail-store` when the tables are not as the store created them, or cannot be partitioned.
   */
  readonly partition: () => Promise<Partition | undefined>;
  /** Returns the SQL condition for a row whose task has a name that begins with `start`. */
  readonly taskStartsWith: (start: string) => RawBuilder<SqlBool>;
  /** The SQL condition for a row that belongs to a chain; other rows are never read. */
  readonly inChain: RawBuilder<SqlBool>;
  /** The SQL expression for a checkpoint's complete note. */
  readonly note: RawBuilder<string>;
  /** Classifies a driver error; returns `undefined` for any other error. */
  readonly classify: (error: unknown) => Classified | undefined;
  readonly close: () => Promise<void>;
}

/** A driver error translated to this package's error, and whether a retry may succeed. */
export interface Classified {
  readonly error: TrailStoreError;
  readonly retry: boolean;
}
