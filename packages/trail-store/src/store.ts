import type { ThoughtRecord } from "@agentprint/trail";
import { ChainVerifier } from "@agentprint/trail/chain";
import { createCheckpoint } from "@agentprint/trail/checkpoint";
import { v7 } from "uuid";
import { type ImportOptions, type ImportResult, importTrail } from "./append/import-trail.ts";
import { checkKey, planThoughts, type ThoughtInput } from "./append/plan-append.ts";
import type { TrailTransaction } from "./append/trail-transaction.ts";
import { checkArgument } from "./check-argument.ts";
import type { Backend } from "./database/backend.ts";
import { classified, streaming } from "./database/retry.ts";
import { type StoredThought, toRecord } from "./database/schema.ts";
import { checkStored, checkWhole, TrailStoreError } from "./errors.ts";
import { PartitionedStore } from "./partitioned-store.ts";
import { overtaken } from "./read/read-again.ts";
import {
  findThoughts,
  readHead,
  readPage,
  readRows,
  readStable,
  readTasks,
  readThought,
  readThoughts,
} from "./read/read-thoughts.ts";
import { readTreeHead } from "./read/read-tree-head.ts";
import { parseSignedCheckpoint, readCheckpoints, signedHeads } from "./read/stored-checkpoints.ts";
import { checkStructure, type VerifyOptions, verifyTask, verifyTasks } from "./read/verify-store.ts";
import type { CheckpointOptions, ExportedRow, ThoughtPage, TrailStoreOptions } from "./store-options.ts";
import type { StoreChainReport, StoreProblem, StoreReport } from "./store-problem.ts";

/** A store of trails in one database; see `openTrailStore`. */
export class TrailStore extends PartitionedStore {
  readonly #backend: Backend;
  readonly #now: () => Date;
  readonly #id: () => string;

  constructor(backend: Backend, options: TrailStoreOptions) {
    checkArgument("backend", backend, "object");
    checkArgument("options", options, "object");
    super(backend, options.retryForMs);
    this.#backend = backend;
    this.#now = options.now ?? (() => new Date());
    this.#id = options.id ?? (() => v7());
  }

  /**
   * Records a thought after the head of its task. Once the promise is fulfilled, the record is on disk. If the task
   * already has a record with the same id and content, writes nothing and returns that record.
   *
   * @throws {@link TrailStoreError} `id-conflict` when the task has this id with different content, `unsupported-text`
   * or `too-large` when a database cannot hold a text, `not-stored` when a foreign trigger kept the record out; `busy`,
   * `disk-full`, `unavailable` or `corrupt` when the database cannot be used.
   * @throws {@link TrailError} `invalid-thought` when a field cannot be recorded, `altered-predecessor` when the head's
   * hash does not match its content.
   */
  async append(input: ThoughtInput): Promise<ThoughtRecord> {
    const [record] = await this.appendAll([input]);
    return record as ThoughtRecord;
  }

  /** Records all thoughts or none, in their order, in one transaction. Throws the errors of {@link append}. */
  async appendAll(inputs: readonly ThoughtInput[]): Promise<ThoughtRecord[]> {
    // Each thought gets its id before the first attempt, so that a second attempt cannot record a thought twice.
    const { scope, plan } = planThoughts(inputs, this.#id, this.#now);
    return (await this.write(() => this.#backend.append(scope, plan))).map(toRecord);
  }

  /**
   * Runs `work` in one database transaction: its writes to other tables and its appended records are stored together or
   * not at all. While the database is busy, `work` is called again from its beginning; in PostgreSQL, a row in another
   * table that violates a unique key counts as busy. In SQLite, one transaction runs at a time, and those that wait
   * meanwhile are committed together; each sees the earlier ones' writes.
   *
   * @throws {@link TrailStoreError} the errors of {@link append}; `unavailable` for a database in memory, and if the
   * connection was lost during the commit, in which case the transaction may or may not be stored.
   *
   * @example
   * ```ts
   * import { openTrailStore, type TrailTransaction } from "@agentprint/trail-store";
   *
   * const store = await openTrailStore("file:orders.db");
   * const thought = { type: "decision", task_id: "order-7", agent_id: "buyer", content: "Ordered." } as const;
   * const record = await store.transact(async ({ append }: TrailTransaction<{ orders: { id: number } }>) => append(thought));
   * console.log(record.content); // Ordered.
   * await store.close();
   * ```
   */
  async transact<Tables, T>(work: (transaction: TrailTransaction<Tables>) => Promise<T>): Promise<T> {
    return this.write(() =>
      this.#backend.transact(async ({ db, append }) =>
        work({
          db: db as unknown as TrailTransaction<Tables>["db"],
          append: async (input) => {
            const { scope, plan } = planThoughts([input], this.#id, this.#now);
            return toRecord((await append(scope, plan))[0] as StoredThought);
          },
        }),
      ),
    );
  }

  /** Returns the record of a task with this id, or `null`. */
  async get(taskId: string, id: string): Promise<ThoughtRecord | null> {
    checkKey("task_id", taskId);
    checkKey("id", id);
    const row = await this.try(() => readThought(this.#backend, { task_id: taskId, id }));
    return row ? toRecord(row) : null;
  }

  /** Returns the first `limit` (default 100) records with this id, at most one per task, ordered by task name. */
  async find(id: string, limit = 100): Promise<ThoughtRecord[]> {
    checkKey("id", id);
    checkWhole("limit", limit, 1);
    return (await this.try(() => findThoughts(this.#backend, id, limit))).map(toRecord);
  }

  /** Returns the last record of a task, or `null`. */
  async head(taskId: string): Promise<ThoughtRecord | null> {
    checkKey("task_id", taskId);
    const row = await this.try(() => readHead(this.#backend, taskId));
    return row ? toRecord(row) : null;
  }

  /**
   * Returns a page of a task's records in the order of their chain: the records after index `after` (default -1),
   * at most `limit` of them (default 100).
   *
   * @throws {@link TrailStoreError} `invalid-page` when `after` is not a whole number of at least -1, or `limit` is not
   * a whole number of at least 1.
   */
  async list(taskId: string, page: { readonly after?: number; readonly limit?: number } = {}): Promise<ThoughtPage> {
    checkKey("task_id", taskId);
    const { after = -1, limit = 100 } = page;
    checkWhole("after", after, -1);
    checkWhole("limit", limit, 1);
    const rows = await this.try(() => readPage(this.#backend, taskId, after, limit + 1));
    const records = rows.slice(0, limit);
    return { records: records.map(toRecord), next: rows.length > limit ? (records.at(-1)?.position ?? after) : null };
  }

  /**
   * Yields the tasks whose names begin with `start` (default: all) in the order of their names, with the number of
   * their records, which is 0 for a task that only has checkpoints.
   */
  tasks(start = ""): AsyncGenerator<{ taskId: string; length: number }, void> {
    return streaming(this.#backend.classify, readTasks(this.#backend, start));
  }

  /**
   * Yields all records of a task, which it reads page by page.
   *
   * @throws {@link TrailStoreError} `overtaken` when records were dropped before they were read; see {@link readAgain}.
   */
  async *read(taskId: string): AsyncGenerator<ThoughtRecord, void> {
    checkKey("task_id", taskId);
    for await (const page of streaming(this.#backend.classify, readThoughts(this.#backend, taskId)))
      yield* page.map(toRecord);
  }

  /**
   * Returns how many records of a task were dropped before its first remaining record, which is that record's index in
   * its chain.
   *
   * @param known The result of an earlier call, which must still be correct for the records read since
   * @throws {@link TrailStoreError} `overtaken` when the number has changed since.
   */
  async dropped(taskId: string, known?: number): Promise<number> {
    checkKey("task_id", taskId);
    const first = (await this.try(() => this.#backend.taskEnds(taskId)))?.first ?? 0;
    if (known !== undefined && known !== first) throw overtaken(taskId, known, first);
    return first;
  }

  /**
   * Lets the database check its own structure, compares its triggers and constraints with those that the store created,
   * and counts the rows that belong to no chain: all such rows, or, if `taskId` is given, those of this task and those
   * without a task.
   *
   * @throws {@link TrailStoreError} `corrupt` when the database is damaged.
   */
  async checkStructure(taskId?: string): Promise<readonly StoreProblem[]> {
    return this.try(() => checkStructure(this.#backend, taskId));
  }

  /** Checks the store's structure, then verifies the chain of a task, or of every task, page by page. */
  async verify(taskId: string, options?: VerifyOptions): Promise<StoreChainReport>;
  async verify(taskId?: undefined, options?: VerifyOptions): Promise<StoreReport>;
  async verify(taskId?: string, options: VerifyOptions = {}): Promise<StoreChainReport | StoreReport> {
    if (taskId !== undefined) checkKey("task_id", taskId);
    const found = (options.structure ?? true) ? await this.checkStructure(taskId) : [];
    return classified(this.#backend.classify, async () => {
      if (taskId === undefined) return verifyTasks(this.#backend, options, found);
      const report = await verifyTask(this.#backend, taskId, options);
      const storeProblems = [...found, ...report.storeProblems];
      return { ...report, ok: report.ok && storeProblems.length === 0, storeProblems };
    });
  }

  /** Yields the records of a task, or of every task, as JSON Lines. Throws the errors of {@link read}. */
  async *export(taskId?: string): AsyncGenerator<string, void> {
    for await (const { line } of this.exportRows(taskId)) yield `${line}\n`;
  }

  /**
   * Yields the lines of {@link export} without their line feeds, each with its task and its position in the task, for
   * query engines that do not preserve the order of lines. Throws the errors of {@link read}.
   */
  async *exportRows(taskId?: string): AsyncGenerator<ExportedRow, void> {
    if (taskId !== undefined) checkKey("task_id", taskId);
    yield* streaming(this.#backend.classify, readRows(this.#backend, taskId));
  }

  /**
   * Adds the records in JSON Lines text, which must hold complete chains that begin with their genesis records. The
   * text is copied to a temporary file and verified before the first record is added, so either all records are added
   * or none. Records that are already stored are counted but not added again.
   *
   * @throws {@link TrailStoreError} `invalid-trail` with the report when a chain has a problem, `diverged` when the
   * stored chain continues with different records, `id-conflict`, `unsupported-text`, `too-large`, `disk-full`.
   * @throws {@link TrailError} `too-many-tasks` when there are more than `maxTasks`, `line-too-long` when a line has more than
   * 64 MiB.
   */
  async import(
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    options: ImportOptions = {},
  ): Promise<ImportResult> {
    return classified(this.#backend.classify, () => importTrail(this.#backend, chunks, options));
  }

  /**
   * Signs a task's current chain, and stores the signed note next to it.
   *
   * @throws {@link TrailStoreError} `invalid-trail` when the chain has a problem or contradicts a checkpoint that one
   * of the `verifiers` accepts, because such a chain is never signed; `unverifiable-checkpoint` when a signer that
   * seems to have signed a stored checkpoint has no verifier.
   */
  async checkpoint(taskId: string, options: CheckpointOptions): Promise<string> {
    return this.sign(taskId, options);
  }

  /**
   * Stores a signed checkpoint, for example one that witnesses have cosigned. Storing it again changes nothing. Its
   * signatures are checked only when the store is verified with `trust`.
   *
   * @throws {@link TrailError} `invalid-note` when `note` is not a signed note, `invalid-checkpoint` when its text is
   * not a checkpoint.
   */
  async addCheckpoint(taskId: string, note: string): Promise<void> {
    checkKey("task_id", taskId);
    const { size } = parseSignedCheckpoint(note);
    const insert = this.#backend.db.insertInto("checkpoints").values({ task_id: taskId, size, note });
    await this.write(async () => {
      if ((await this.checkpoints(taskId)).includes(note)) return;
      const { numInsertedOrUpdatedRows } = await insert.executeTakeFirstOrThrow();
      checkStored(Number(numInsertedOrUpdatedRows), 1);
    });
  }

  /** Returns the signed checkpoints of a task, smallest first. */
  async checkpoints(taskId: string): Promise<string[]> {
    return (await this.#storedCheckpoints(taskId)).map(({ note }) => note);
  }

  /**
   * Closes the database after the appends and transactions that were begun; no other method may be called afterwards.
   */
  async close(): Promise<void> {
    await this.settleWrites();
    await this.#backend.close();
  }

  /**
   * Translates a database driver's error into this package's error; returns `undefined` for any other error. Use it for
   * statements that you run on your own connections to the same database.
   */
  errorOf(error: unknown): TrailStoreError | undefined {
    return error instanceof TrailStoreError ? error : this.#backend.classify(error)?.error;
  }

  /** Signs a task's chain; if `last` is given, its records up to this position, and their range. */
  protected override async sign(taskId: string, options: CheckpointOptions, last?: number): Promise<string> {
    const { origin, signers, verifiers, authors = false } = options;
    const checkpoints = signedHeads(await this.#storedCheckpoints(taskId), origin, signers, verifiers);
    const head = await this.try(() =>
      readStable(this.#backend, taskId, (ends) => {
        const lastHash = ends?.first === 0 ? undefined : ends?.before;
        const verifier = new ChainVerifier({ taskId, checkpoints, lastHash });
        return readTreeHead(readThoughts(this.#backend, taskId), verifier, { authors, last });
      }),
    );
    const note = createCheckpoint({ origin, ...head }, signers);
    await this.addCheckpoint(taskId, note);
    return note;
  }

  #storedCheckpoints(taskId: string): ReturnType<typeof readCheckpoints> {
    checkKey("task_id", taskId);
    return this.try(() => readCheckpoints(this.#backend, taskId));
  }
}
