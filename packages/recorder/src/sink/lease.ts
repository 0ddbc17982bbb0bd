import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { RecorderError } from "../errors.ts";
import { fileNameOf, sessionOf } from "./file-name.ts";
import { MACHINE, type Writer } from "./machine.ts";

/**
 * The name of a lease, `<session>.<process id>-<machine>-<turn>.open`, which states who writes a session's chain. A
 * lease never holds a record.
 */
const LEASE = /^(.+)\.(\d{1,10})-([0-9a-f]{8})-(\d{1,10})\.open$/s;
/**
 * In milliseconds. How often a writer writes into its lease, so that the file's modification time shows that the writer
 * is alive.
 */
const RENEW_EVERY = 60_000;
/**
 * In milliseconds. After this silence, another machine may soon take over a lease, so only the file system knows the
 * owner.
 */
const DOUBT_AFTER = 2 * RENEW_EVERY;

/** The name of a lease. */
export interface LeaseName extends Writer {
  readonly session: string;
  readonly turn: number;
}

/** Parses the name of a file; `undefined` if it is not a lease's name. */
export function parseLeaseName(name: string): LeaseName | undefined {
  const [, file = "", pid, machine, turn] = LEASE.exec(name) ?? [];
  const session = sessionOf(file);
  if (session === undefined || machine === undefined) return undefined;
  return { session, pid: Number(pid), machine, turn: Number(turn) };
}

function leaseName(session: string, turn: number): string {
  return `${fileNameOf(session)}.${process.pid}-${MACHINE}-${turn}.open`;
}

/**
 * The right to acknowledge a session's records. The process that renames the lease's file owns it; if several try this,
 * only one succeeds.
 */
export class Lease {
  readonly #folder: string;
  readonly #session: string;
  readonly #file: FileHandle;
  readonly #renewing: NodeJS.Timeout;
  #turn = 0;
  #path: string;
  #renewed = Date.now();
  #isLost = false;
  /** Checks run one at a time: if two renamed the same file, the second would find it gone. */
  #checking: Promise<void> = Promise.resolve();

  private constructor(folder: string, session: string, path: string, file: FileHandle) {
    this.#folder = folder;
    this.#session = session;
    this.#path = path;
    this.#file = file;
    this.#renewing = setInterval(() => void this.#tick().catch(() => {}), RENEW_EVERY).unref();
  }

  /** Creates the lease for a session whose chain this process has just created. */
  static async create(folder: string, session: string): Promise<Lease> {
    const path = join(folder, leaseName(session, 0));
    const file = await open(path, "wx", 0o600);
    const lease = new Lease(folder, session, path, file);
    try {
      await lease.#renew();
      return lease;
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  /** Whether another process has taken over the session. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Returns how far this process's clock is ahead of the file system's, in milliseconds. */
  async clockLead(): Promise<number> {
    return this.#renewed - (await this.#file.stat()).mtimeMs;
  }

  /**
   * Checks that this process still holds the lease.
   *
   * @throws {@link RecorderError} `taken-over` if another process has taken over the lease.
   */
  hold(): Promise<void> {
    this.#checking = this.#checking.catch(() => {}).then(() => this.#check());
    return this.#checking;
  }

  async #check(): Promise<void> {
    if (this.#isLost) throw takenOver(this.#session);
    try {
      if (Math.abs(Date.now() - this.#renewed) < DOUBT_AFTER) await stat(this.#path);
      else await this.#claim();
    } catch (error) {
      if ((error as { code?: unknown }).code !== "ENOENT") throw error;
      this.#isLost = true;
      throw takenOver(this.#session);
    }
  }

  /** Releases the lease; with `keep`, its file remains, so that the next start finds that the session has no end. */
  async release(keep = false): Promise<void> {
    clearInterval(this.#renewing);
    await this.#file.close();
    if (!keep && !this.#isLost) await rm(this.#path, { force: true });
  }

  /**
   * Renames the lease's file: a network client may cache names for longer than it was suspended, but it cannot rename a
   * file that another client has renamed.
   */
  async #claim(): Promise<void> {
    const path = join(this.#folder, leaseName(this.#session, this.#turn + 1));
    await rename(this.#path, path);
    this.#path = path;
    this.#turn++;
    await this.#renew().catch(() => {}); // on a full disk, for example: then the next check renames again
  }

  async #tick(): Promise<void> {
    await this.hold();
    await this.#renew();
  }

  /**
   * Renews the lease by a write to its file, because a time that is set explicitly would come from this machine's
   * clock.
   */
  async #renew(): Promise<void> {
    const now = Date.now();
    await this.#file.write("\n", 0);
    await this.#file.datasync();
    this.#renewed = now;
  }
}

/** Takes over the lease in the file `name`; `undefined` if another process was faster. */
export async function takeLease(
  folder: string,
  name: string,
  { session, turn }: LeaseName,
): Promise<string | undefined> {
  const from = join(folder, name);
  const path = join(folder, leaseName(session, turn + 1));
  try {
    // The file is written first, so that it counts as a live process's lease as soon as it has the new name.
    const file = await open(from, "r+");
    try {
      await file.write("\n", 0);
    } finally {
      await file.close();
    }
    await rename(from, path);
    return path;
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return undefined;
    throw error;
  }
}

export function takenOver(session: string): RecorderError {
  const message = `another process took session ${JSON.stringify(session)} over while this one was silent: start a new session`;
  return new RecorderError("taken-over", message);
}
