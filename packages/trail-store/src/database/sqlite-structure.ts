import { once } from "node:events";
import { isMainThread, Worker } from "node:worker_threads";
import { TrailStoreError } from "../errors.ts";
import { pragma, type SqliteConnection } from "./sqlite-connection.ts";
import { IN_MEMORY } from "./sqlite-path.ts";

/** A thread's answer: the damage that it found, or the SQLite error that ended it. */
export type StructureAnswer =
  | { readonly damage: string | undefined }
  | { readonly code: string; readonly message: string };

/** The name of the threads that check a database's structure. */
export const CHECKS = "agentprint-check-structure";

/** In bytes. Checking a database up to this size takes less time than starting a thread. */
const SMALL = 8 * 2 ** 20;

/** Parallel threads would multiply the memory used, so this process's checks wait for each other. */
let before: Promise<unknown> = Promise.resolve();

/**
 * Checks the structure of one database. A large database is checked in a separate thread, so that this thread can
 * continue.
 */
export class StructureChecks {
  readonly #connection: SqliteConnection;
  #thread: Worker | undefined;
  #isClosed = false;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** @throws {@link TrailStoreError} `corrupt` with the first damage that SQLite finds. */
  async check(): Promise<void> {
    const damage = await this.#damage();
    if (damage !== undefined) throw new TrailStoreError("corrupt", `the database is damaged: ${damage}`);
  }

  /** Ends a running check, and refuses waiting checks. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.terminate();
  }

  #bytes(): number {
    const [pages, size] = ["page_count", "page_size"].map((name) => pragma(this.#connection, name));
    return Number(pages) * Number(size);
  }

  async #damage(): Promise<string | undefined> {
    const isHere = !isMainThread || this.#connection.name === IN_MEMORY || this.#bytes() <= SMALL;
    const entry = isHere ? undefined : entryOfThread();
    if (entry === undefined) return findDamage(this.#connection);
    const found = before.then(() => this.#inThread(entry));
    before = found.catch(() => undefined);
    return found;
  }

  async #inThread(entry: URL): Promise<string | undefined> {
    if (this.#isClosed) throw closed();
    const thread = new Worker(entry, {
      name: CHECKS,
      workerData: { [CHECKS]: this.#connection.name },
      execArgv: entry.pathname.endsWith(".ts") ? ["--conditions=@agentprint/source"] : [],
    });
    this.#thread = thread;
    let answer: StructureAnswer | undefined;
    thread.once("message", (message: StructureAnswer) => {
      answer = message;
    });
    await once(thread, "exit");
    this.#thread = undefined;
    if (answer === undefined) throw closed();
    if ("code" in answer) throw Object.assign(new Error(answer.message), { code: answer.code });
    return answer.damage;
  }
}

/** Returns the thread's entry point; `undefined` if a bundler has left it out. */
function entryOfThread(): URL | undefined {
  try {
    return new URL(import.meta.resolve("#check-structure"));
  } catch {
    return undefined;
  }
}

/** Returns the first damage that SQLite finds; `undefined` for an intact database. */
export function findDamage(connection: SqliteConnection): string | undefined {
  const found = pragma(connection, "integrity_check(1)");
  return found === "ok" ? undefined : String(found);
}

function closed(): TrailStoreError {
  return new TrailStoreError("unavailable", "the store was closed before its structure was checked");
}
