import { stat } from "node:fs/promises";
import { policyFileOf } from "../policy/read-policy.ts";
import type { Context } from "../run/context.ts";
import { printNotices } from "../terminal/notices.ts";
import { printError } from "../terminal/report-error.ts";
import { digestOf, type FileTexts, type GuardFiles, type LoadedLock, parseTexts, readTexts } from "./load-lock.ts";

/** The interval at which the files are checked for a replacement, in milliseconds. */
const LOOK = 500;
/**
 * A file that was changed less than this many milliseconds ago may change again within the precision of its time
 * stamps.
 */
const SETTLED = 3000;

/**
 * Passes the lock and the policy on whenever the bytes of one of their files have changed. If one of the two cannot be
 * read, the last readable pair stays in force, and the error is printed once.
 *
 * @param loaded The lock and the policy that are in force now.
 */
export function watchLock(
  context: Context,
  files: GuardFiles,
  loaded: LoadedLock,
  onReplaced: (loaded: LoadedLock) => void,
): { close(): void } {
  const watch = new LockWatch(context, files, loaded.digest, onReplaced);
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const look = async (): Promise<void> => {
    await watch.look().catch((error: unknown) => printError(context, error));
    if (!isClosed) timer = setTimeout(look, LOOK).unref();
  };
  void look();
  return {
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** The state of the files of the lock and the policy when they were last checked. */
class LockWatch {
  readonly #context: Context;
  readonly #files: GuardFiles;
  readonly #paths: readonly string[];
  readonly #onReplaced: (loaded: LoadedLock) => void;
  /** The digest of the bytes in force. */
  #digest: string;
  /** The last digest or error that was found. */
  #found: string;
  /** The metadata of the files when they were last read; `undefined` if the files may have changed since. */
  #stats: string | undefined;

  constructor(context: Context, files: GuardFiles, digest: string, onReplaced: (loaded: LoadedLock) => void) {
    const { lock, policy: config } = files;
    this.#context = context;
    this.#files = files;
    this.#paths = [lock, policyFileOf({ lock, config })].map((file) => context.pathOf(file));
    this.#digest = digest;
    this.#found = digest;
    this.#onReplaced = onReplaced;
  }

  async look(): Promise<void> {
    const { text, isSettled } = await this.#stat();
    if (text === this.#stats) return;
    this.#stats = isSettled ? text : undefined;
    let texts: FileTexts;
    try {
      texts = await readTexts(this.#context, this.#files);
    } catch (error) {
      // The next read may succeed although the files are unchanged.
      this.#stats = undefined;
      this.#failed(error, error instanceof Error ? error.message : "");
      return;
    }
    const digest = digestOf(texts);
    if (digest === this.#found) return;
    if (digest === this.#digest) {
      this.#found = digest;
      return;
    }
    let loaded: LoadedLock;
    try {
      loaded = await parseTexts(this.#context, this.#files, texts);
    } catch (error) {
      this.#failed(error, digest);
      return;
    }
    this.#found = digest;
    this.#digest = digest;
    this.#onReplaced(loaded);
  }

  #failed(error: unknown, found: string): void {
    if (found === this.#found) return;
    this.#found = found;
    printError(this.#context, error);
    printNotices(this.#context, ["the guard keeps using the lock and the policy that it has"]);
  }

  /** Returns the metadata of the files as text, and whether every later change is certain to alter it. */
  async #stat(): Promise<{ readonly text: string; readonly isSettled: boolean }> {
    const now = Date.now();
    const found = await Promise.all(
      this.#paths.map(async (path): Promise<readonly [text: string, isSettled: boolean]> => {
        try {
          const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = await stat(path, { bigint: true });
          return [[dev, ino, size, mtimeNs, ctimeNs].join(" "), Math.abs(now - Number(ctimeMs)) > SETTLED];
        } catch (error) {
          return [error instanceof Error ? error.message : "", true];
        }
      }),
    );
    return { text: found.map(([text]) => text).join("\n"), isSettled: found.every(([, isSettled]) => isSettled) };
  }
}
