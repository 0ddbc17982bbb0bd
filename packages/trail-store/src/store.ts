import type { ThoughtRecord } from "@agentprint/trail";
import { type ChainReport, ChainVerifier, formatThoughtLine, type TasksReport } from "@agentprint/trail/chain";
import {
  type CheckpointTrust,
  computeAuthorCommitment,
  createCheckpoint,
  MerkleTree,
  type NoteSigner,
  parseCheckpoint,
  TrailError,
  type TrailErrorCode,
  type TreeHead,
  verifyCheckpoint,
} from "@agentprint/trail/checkpoint";
import { v7 } from "uuid";
import type { Backend } from "./backend.ts";
import { TrailStoreError } from "./errors.ts";
import { type ImportResult, importTrail } from "./import-trail.ts";
import { checkInput, planAppend, type ThoughtInput } from "./plan-append.ts";
import { readPage, readTasks, readThoughts } from "./read-thoughts.ts";
import { retrying } from "./retry.ts";
import { THOUGHT_COLUMNS, toRecord } from "./schema.ts";

/** Why a checkpoint may be passed over: a key was replaced, or witnesses cosigned it only later. */
const OF_OTHERS: readonly TrailErrorCode[] = ["too-few-witnesses", "unknown-signer", "wrong-origin"];

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

/** How a store is verified. */
export interface VerifyOptions {
  /**
   * Whose checkpoints of a task count. Without it the stored checkpoints are not looked at. With it, others than those
   * are passed over, but it is an error where checkpoints are stored and none of them counts.
   */
  readonly trust?: (taskId: string) => CheckpointTrust;
  /** Checkpoints that were kept elsewhere. */
  readonly checkpoints?: (taskId: string) => readonly TreeHead[];
  /** Whether the database checks its own structure first. Default `true`. */
  readonly structure?: boolean;
  /** Called after every page with the number of records read so far. */
  readonly onProgress?: (records: number) => void;
}

/** How a chain is signed. */
export interface CheckpointOptions {
  readonly origin: string;
  readonly signers: readonly NoteSigner[];
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
    const query = this.#backend.db.selectFrom("thoughts").select(THOUGHT_COLUMNS).where("id", "=", id);
    const row = await this.#try(() => query.executeTakeFirst());
    return row ? toRecord(row) : null;
  }

  /** The last record of a task, or `null`. */
  async head(taskId: string): Promise<ThoughtRecord | null> {
    const thoughts = this.#backend.db.selectFrom("thoughts").select(THOUGHT_COLUMNS).where("task_id", "=", taskId);
    const row = await this.#try(() => thoughts.orderBy("position", "desc").limit(1).executeTakeFirst());
    return row ? toRecord(row) : null;
  }

  /** A page of a task's records in the order of its chain: those behind index `after`, at most `limit`. */
  async list(taskId: string, page: { readonly after?: number; readonly limit?: number } = {}): Promise<ThoughtPage> {
    const { after = -1, limit = 100 } = page;
    const rows = await this.#try(() => readPage(this.#backend, taskId, after, limit + 1));
    const records = rows.slice(0, limit);
    return { records: records.map(toRecord), next: rows.length > limit ? (records.at(-1)?.position ?? after) : null };
  }

  /** The tasks by name, with the number of their records: 0 where only checkpoints are there. */
  tasks(): AsyncGenerator<{ taskId: string; length: number }, void> {
    return readTasks(this.#backend);
  }

  /** All records of a task, read page by page. */
  async *read(taskId: string): AsyncGenerator<ThoughtRecord, void> {
    for await (const page of this.#pages(taskId)) for (const row of page) yield toRecord(row);
  }

  /** Has the database check its own structure. @throws `TrailStoreError` `corrupt`. */
  async checkStructure(): Promise<void> {
    await this.#try(() => this.#backend.checkStructure());
  }

  /** Verifies the chain of a task, or of every task, as it streams; first the database checks its own structure. */
  async verify(taskId: string, options?: VerifyOptions): Promise<ChainReport>;
  async verify(taskId?: undefined, options?: VerifyOptions): Promise<TasksReport>;
  async verify(taskId?: string, options: VerifyOptions = {}): Promise<ChainReport | TasksReport> {
    if (options.structure ?? true) await this.checkStructure();
    if (taskId !== undefined) return this.#verifyTask(taskId, options, 0);
    const tasks: ChainReport[] = [];
    let length = 0;
    for await (const task of this.tasks()) {
      const report = await this.#verifyTask(task.taskId, options, length);
      tasks.push(report);
      length += report.length;
    }
    const unassigned = new ChainVerifier().finish();
    return { ok: tasks.every(({ ok }) => ok), length, tasks, unassigned };
  }

  /** The records of a task, or of every task, as JSON Lines. */
  async *export(taskId?: string): AsyncGenerator<string, void> {
    if (taskId === undefined) for await (const task of this.tasks()) yield* this.export(task.taskId);
    else for await (const record of this.read(taskId)) yield formatThoughtLine(record);
  }

  /**
   * Adds the records of JSON Lines text, whole chains from their genesis record on. They are verified first: all of
   * them are added or none. Records that are there already are passed over.
   *
   * @throws `TrailStoreError`: `invalid-trail` with the report, `diverged` where the store continues a chain
   * otherwise, `id-conflict`, `unsupported-text`, `too-large`.
   */
  async import(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<ImportResult> {
    try {
      return await importTrail(this.#backend, chunks);
    } catch (error) {
      throw this.#backend.classify(error)?.error ?? error;
    }
  }

  /**
   * Signs the chain of a task as it is, and stores the signed note beside it.
   *
   * @throws `TrailStoreError` `invalid-trail` where the chain has a problem or contradicts a stored checkpoint: what is
   * broken is never signed.
   */
  async checkpoint(taskId: string, { origin, signers, authors = false }: CheckpointOptions): Promise<string> {
    const verifier = new ChainVerifier({ taskId, checkpoints: await this.#storedHeads(taskId) });
    const records = new MerkleTree();
    const authorTree = authors ? new MerkleTree() : undefined;
    for await (const page of this.#pages(taskId)) {
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

  /** Stores a signed checkpoint, for example one that witnesses have cosigned. Storing it again changes nothing. */
  async addCheckpoint(taskId: string, note: string): Promise<void> {
    const { size } = parseCheckpoint(textOf(note));
    const insert = this.#backend.db.insertInto("checkpoints").values({ task_id: taskId, size, note });
    await this.#try(async () => {
      if (!(await this.checkpoints(taskId)).includes(note)) await insert.execute();
    });
  }

  /** The signed checkpoints of a task, smallest first. */
  async checkpoints(taskId: string): Promise<string[]> {
    const query = this.#backend.db.selectFrom("checkpoints").select("note").where("task_id", "=", taskId);
    return (await this.#try(() => query.orderBy("size").execute())).map(({ note }) => note);
  }

  /** Closes the database; nothing may be asked afterwards. */
  async close(): Promise<void> {
    await this.#backend.close();
  }

  #try<T>(attempt: () => Promise<T>): Promise<T> {
    return retrying(this.#backend.classify, this.#retryForMs, attempt);
  }

  async *#pages(taskId: string): ReturnType<typeof readThoughts> {
    try {
      yield* readThoughts(this.#backend, taskId);
    } catch (error) {
      throw this.#backend.classify(error)?.error ?? error;
    }
  }

  async #storedHeads(taskId: string): Promise<TreeHead[]> {
    return (await this.checkpoints(taskId)).map((note) => parseCheckpoint(textOf(note)));
  }

  async #trustedHeads(taskId: string, trust: CheckpointTrust): Promise<TreeHead[]> {
    const heads: TreeHead[] = [];
    let refusal: TrailError | undefined;
    for (const note of await this.checkpoints(taskId)) {
      try {
        heads.push(verifyCheckpoint(note, trust));
      } catch (error) {
        if (!(error instanceof TrailError) || !OF_OTHERS.includes(error.code)) throw error;
        refusal ??= error;
      }
    }
    if (heads.length === 0 && refusal) throw refusal;
    return heads;
  }

  async #verifyTask(taskId: string, options: VerifyOptions, before: number): Promise<ChainReport> {
    const { trust, checkpoints, onProgress } = options;
    const trusted = trust ? await this.#trustedHeads(taskId, trust(taskId)) : [];
    const verifier = new ChainVerifier({ taskId, checkpoints: [...trusted, ...(checkpoints?.(taskId) ?? [])] });
    let count = before;
    for await (const page of this.#pages(taskId)) {
      for (const row of page) verifier.push(row);
      count += page.length;
      onProgress?.(count);
    }
    return verifier.finish();
  }
}

function textOf(note: string): string {
  return note.slice(0, note.lastIndexOf("\n\n") + 1);
}
