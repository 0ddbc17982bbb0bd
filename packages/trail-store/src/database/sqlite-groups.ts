import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { TrailDatabase } from "./schema.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

/** The maximum number of transactions that are committed together, so that the first does not wait for long. */
const MAX_GROUP = 64;
/** After this time no other transaction joins a group, because a group's statements block the rest of the process. */
const MAX_GROUP_MS = 20;

type Work<T> = (db: Kysely<TrailDatabase>) => Promise<T>;

interface Member {
  readonly work: Work<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** How a shared transaction begins and ends. */
interface TransactionEnds {
  readonly begin: () => Promise<void>;
  readonly commit: () => void;
}

/**
 * Runs the transactions of callers on one connection, in their order. Transactions that wait at the same time are
 * committed together, because waiting for the disk takes longer than their statements; no outcome is returned before
 * the commit. Each has its own savepoint, so that one that fails does not affect the others.
 */
export class SqliteGroups {
  readonly #connection: SqliteConnection;
  readonly #db: Kysely<TrailDatabase>;
  readonly #ends: TransactionEnds;
  #waiting: Member[] = [];
  #isRunning = false;

  /** `db` runs statements on `connection`. */
  constructor(connection: SqliteConnection, db: Kysely<TrailDatabase>, ends: TransactionEnds) {
    this.#connection = connection;
    this.#db = db;
    this.#ends = ends;
  }

  /** Runs `work` in a transaction; the promise resolves once the transaction is on disk. */
  run<T>(work: Work<T>): Promise<T> {
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject });
      if (!this.#isRunning) void this.#runAll();
    }) as Promise<T>;
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      // Transactions from the same turn of the event loop join the group.
      await nextTurn();
      const group = this.#waiting.splice(0, MAX_GROUP);
      try {
        const tellAll = await this.#db.connection().execute((own) => this.#commit(group, own));
        this.#waiting.unshift(...group.slice(tellAll.length));
        for (const tell of tellAll) tell();
      } catch (error) {
        if (this.#connection.inTransaction) this.#connection.exec("rollback");
        for (const { reject } of group) reject(error);
      }
    }
    this.#isRunning = false;
  }

  /** Commits as many of the first members as time allows; returns functions that report each outcome. */
  async #commit(group: readonly Member[], db: Kysely<TrailDatabase>): Promise<(() => void)[]> {
    const tellAll: (() => void)[] = [];
    await this.#ends.begin();
    const end = performance.now() + MAX_GROUP_MS;
    for (const { work, resolve, reject } of group) {
      this.#connection.exec("savepoint member");
      try {
        const result = await work(db);
        tellAll.push(() => resolve(result));
      } catch (error) {
        // SQLite itself ends the shared transaction when it cannot continue, for example because the disk is full.
        if (!this.#connection.inTransaction) throw error;
        this.#connection.exec("rollback to member");
        tellAll.push(() => reject(error));
      }
      this.#connection.exec("release member");
      if (performance.now() > end) break;
    }
    this.#ends.commit();
    return tellAll;
  }
}
