import type { ThoughtRecord } from "@agentprint/trail";
import { ChainVerifier, formatThoughtLine } from "@agentprint/trail/chain";
import {
  computeAuthorCommitment,
  createCheckpoint,
  MerkleTree,
  type NoteSigner,
  type NoteVerifier,
} from "@agentprint/trail/checkpoint";
import { v7 } from "uuid";
import type { Backend } from "./backend.ts";
import { checkStored, TrailStoreError } from "./errors.ts";
import { type ImportOptions, type ImportResult, importTrail } from "./import-trail.ts";
import { checkInput, checkKey, planAppend, type ThoughtInput } from "./plan-append.ts";
import { readHead, readPage, readTasks, readThought, readThoughts } from "./read-thoughts.ts";
import { retrying } from "./retry.ts";
import { toRecord } from "./schema.ts";
import type { StoreChainReport, StoreProblem, StoreReport } from "./store-problem.ts";
import { parseSignedCheckpoint, readCheckpoints, signedHeads } from "./stored-checkpoints.ts";
import { checkStructure, type VerifyOptions, verifyTask, verifyTasks } from "./verify-store.ts";

/** How a store works. */
export interface TrailStoreOptions {
  /** Whether a store that is not there is made. Default `true`; without it, its absence is an error. */
  readonly create?: boolean;
  /**
   * Whether the store is only read. Default `false`. A file of SQLite is then not changed in a single byte; a store that
   * is not there is not made. In PostgreSQL it is the role that decides what may be written.
   */
  readonly readonly?: boolean;
  /** The clock of timestamps. */
  readonly now?: () => Date;
  /** The source of ids. Default: UUIDs of version 7, which grow: they are found and verified faster. */
  readonly id?: () => string;
  /** How long an operation is tried again while the database is busy or away, in milliseconds. Default 30,000. */
  readonly retryForMs?: number;
}

/** A page of records. */
export interface ThoughtPage {
  readonly records: readonly ThoughtRecord[];
  /** What `after` must be for the next page; `null` on the last. */
  readonly next: number | null;
}

/** How a chain is signed. */
export interface CheckpointOptions {
  readonly origin: string;
  readonly signers: readonly NoteSigner[];
  /**
   * The keys whose stored checkpoints of this origin the chain must agree with, for example also those that the log had
   * before. Default: those of `signers`.
   */
  readonly verifiers?: readonly NoteVerifier[];
  /** Whether the checkpoint covers who wrote each record. Default `false`. */
  readonly authors?: boolean;
}

/** The trails in one database; see `openTrailStore`. */
export class TrailStore {
  readonly #backend: Backend;
  readonly #now: () => Date;
  readonly #id: () => string;
  readonly #retryForMs: number;

  constructor(backend: Backend, options: TrailStoreOptions) {
    this.#backend = backend;
    this.#now = options.now ?? (() => new Date());
    this.#id = options.id ?? (() => v7());
    this.#retryForMs = options.retryForMs ?? 30_000;
  }

  /**
   * Records a thought behind the head of its task; once this returns it is on disk. The same id with the same content
   * is the record that is stored already.
   *
   * @throws `TrailStoreError`: `id-conflict`, `unsupported-text`, `too-large`, `busy`, `disk-full`, `unavailable`,
   * `corrupt`. `TrailError`: `invalid-thought`, `altered-predecessor`.
   */
  async append(input: ThoughtInput): Promise<ThoughtRecord> {
    const [record] = await this.appendAll([input]);
    return record as ThoughtRecord;
  }

  /** Records thoughts in one transaction, in their order: all of them or none. Throws what {@link append} throws. */
  async appendAll(inputs: readonly ThoughtInput[]): Promise<ThoughtRecord[]> {
    // Named before the first attempt, so that a repeated one cannot record a thought twice.
    const named = inputs.map((input) => ({ ...input, id: input.id ?? this.#id() }));
    for (const input of named) checkInput(input);
    const scope = { ids: named.map(({ id }) => id), taskIds: [...new Set(named.map((input) => input.task_id))] };
    const plan = planAppend(named, this.#now);
    return (await this.#try(() => this.#backend.append(scope, plan))).map(toRecord);
  }

  /** The record with this id, or `null`. */
  async get(id: string): Promise<ThoughtRecord | null> {
    checkKey("id", id);
    const row = await this.#try(() => readThought(this.#backend, id));
    return row ? toRecord(row) : null;
  }

  /** The last record of a task, or `null`. */
  async head(taskId: string): Promise<ThoughtRecord | null> {
    checkKey("task_id", taskId);
    const row = await this.#try(() => readHead(this.#backend, taskId));
    return row ? toRecord(row) : null;
  }

  /**
   * A page of a task's records in the order of its chain: those behind index `after` (default -1), at most `limit`
   * (default 100).
   *
   * @throws `TrailStoreError` `invalid-page` where not -1 ≤ `after` or not 1 ≤ `limit`, both whole numbers.
   */
  async list(taskId: string, page: { readonly after?: number; readonly limit?: number } = {}): Promise<ThoughtPage> {
    checkKey("task_id", taskId);
    const { after = -1, limit = 100 } = page;
    checkWhole("after", after, -1);
    checkWhole("limit", limit, 1);
    const rows = await this.#try(() => readPage(this.#backend, taskId, after, limit + 1));
    const records = rows.slice(0, limit);
    return { records: records.map(toRecord), next: rows.length > limit ? (records.at(-1)?.position ?? after) : null };
  }

  /** The tasks by name, with the number of their records: 0 where only checkpoints are there. */
  tasks(): AsyncGenerator<{ taskId: string; length: number }, void> {
    return this.#streaming(readTasks(this.#backend));
  }

  /** All records of a task, read page by page. */
  async *read(taskId: string): AsyncGenerator<ThoughtRecord, void> {
    checkKey("task_id", taskId);
    for await (const page of this.#streaming(readThoughts(this.#backend, taskId))) yield* page.map(toRecord);
  }

  /**
   * Has the database check its own structure, compares its triggers and constraints with those that the store made, and
   * counts the rows that belong to no chain: all of them, or those of a task and of none.
   *
   * @throws `TrailStoreError` `corrupt`.
   */
  async checkStructure(taskId?: string): Promise<readonly StoreProblem[]> {
    return this.#try(() => checkStructure(this.#backend, taskId));
  }

  /** Verifies the chain of a task, or of every task, as it streams; first the structure is checked. */
  async verify(taskId: string, options?: VerifyOptions): Promise<StoreChainReport>;
  async verify(taskId?: undefined, options?: VerifyOptions): Promise<StoreReport>;
  async verify(taskId?: string, options: VerifyOptions = {}): Promise<StoreChainReport | StoreReport> {
    if (taskId !== undefined) checkKey("task_id", taskId);
    const found = (options.structure ?? true) ? await this.checkStructure(taskId) : [];
    return this.#classified(async () => {
      if (taskId === undefined) return verifyTasks(this.#backend, options, found);
      const report = await verifyTask(this.#backend, taskId, options);
      const storeProblems = [...found, ...report.storeProblems];
      return { ...report, ok: report.ok && storeProblems.length === 0, storeProblems };
    });
  }

  /** The records of a task, or of every task, as JSON Lines. */
  async *export(taskId?: string): AsyncGenerator<string, void> {
    if (taskId === undefined) for await (const task of this.tasks()) yield* this.export(task.taskId);
    else for await (const record of this.read(taskId)) yield formatThoughtLine(record);
  }

  /**
   * Adds the records of JSON Lines text, whole chains from their genesis record on. The text is put aside in a temporary
   * file and verified before the first record is added: all of them are added or none. Records that are there already
   * are passed over.
   *
   * @throws `TrailStoreError`: `invalid-trail` with the report, `diverged` where the store continues a chain
   * otherwise, `id-conflict`, `unsupported-text`, `too-large`, `disk-full`. `TrailError`: `too-many-tasks`,
   * `line-too-long`.
   */
  async import(
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    options: ImportOptions = {},
  ): Promise<ImportResult> {
    return this.#classified(() => importTrail(this.#backend, chunks, options));
  }

  /**
   * Signs the chain of a task as it is, and stores the signed note beside it.
   *
   * @throws `TrailStoreError`: `invalid-trail` where the chain has a problem or contradicts a checkpoint that one of the
   * `verifiers` signed: what is broken is never signed. `unverifiable-checkpoint` where a signer has no verifier.
   */
  async checkpoint(taskId: string, options: CheckpointOptions): Promise<string> {
    const { origin, signers, verifiers, authors = false } = options;
    const heads = signedHeads(await this.#storedCheckpoints(taskId), origin, signers, verifiers);
    const verifier = new ChainVerifier({ taskId, checkpoints: heads });
    const records = new MerkleTree();
    const authorTree = authors ? new MerkleTree() : undefined;
    for await (const page of this.#streaming(readThoughts(this.#backend, taskId))) {
      for (const row of page) {
        verifier.push(row);
        records.append(row.hash);
        authorTree?.append(computeAuthorCommitment(row));
      }
    }
    const report = verifier.finish();
    if (!report.ok) {
      throw new TrailStoreError("invalid-trail", `not signed: ${report.problems[0]?.message}`, { report });
    }
    const head = { origin, size: records.size, rootHash: records.rootHash() };
    const note = createCheckpoint(authorTree ? { ...head, authorRootHash: authorTree.rootHash() } : head, signers);
    await this.addCheckpoint(taskId, note);
    return note;
  }

  /**
   * Stores a signed checkpoint, for example one that witnesses have cosigned. Storing it again changes nothing. Whose
   * signatures count is said when the store is verified.
   *
   * @throws `TrailError`: `invalid-note`, `invalid-checkpoint`.
   */
  async addCheckpoint(taskId: string, note: string): Promise<void> {
    checkKey("task_id", taskId);
    const { size } = parseSignedCheckpoint(note);
    const insert = this.#backend.db.insertInto("checkpoints").values({ task_id: taskId, size, note });
    await this.#try(async () => {
      if ((await this.checkpoints(taskId)).includes(note)) return;
      const { numInsertedOrUpdatedRows } = await insert.executeTakeFirstOrThrow();
      checkStored(Number(numInsertedOrUpdatedRows), 1);
    });
  }

  /** The signed checkpoints of a task, smallest first. */
  async checkpoints(taskId: string): Promise<string[]> {
    return (await this.#storedCheckpoints(taskId)).map(({ note }) => note);
  }

  /** Closes the database; nothing may be asked afterwards. */
  async close(): Promise<void> {
    await this.#backend.close();
  }

  #try<T>(attempt: () => Promise<T>): Promise<T> {
    return retrying(this.#backend.classify, this.#retryForMs, attempt);
  }

  async *#streaming<T>(source: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
    try {
      yield* source;
    } catch (error) {
      throw this.#backend.classify(error)?.error ?? error;
    }
  }

  async #classified<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#backend.classify(error)?.error ?? error;
    }
  }

  #storedCheckpoints(taskId: string): ReturnType<typeof readCheckpoints> {
    checkKey("task_id", taskId);
    return this.#try(() => readCheckpoints(this.#backend, taskId));
  }
}

function checkWhole(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  const message = `${name}: expected a whole number of at least ${least}, received ${String(value)}`;
  throw new TrailStoreError("invalid-page", message, { path: `/${name}` });
}
