import type { ThoughtRecord } from "@agentprint/trail";
import type { TrailStore } from "@agentprint/trail-store";
import { openInput, readInput, readStdin, STDIN_NAME } from "../files/read-input.ts";
import type { InputContext } from "../run/context.ts";
import { CliError } from "../run/errors.ts";

const MAX_TEXT_BYTES = 2 ** 21;
/** The oldest major version of Node on which the database drivers run; on older ones, they end the process. */
const DATABASE_NODE: readonly [major: number, minor: number] = [22, 16];
const STORE_URL = /^(?:file|sqlite|postgres|postgresql):/;

export function isStoreUrl(source: string): boolean {
  return STORE_URL.test(source);
}

/**
 * @throws {@link CliError} `usage` when `source` is a URL that does not name a store; the error does not show the URL's
 * password.
 */
export function refuseOtherUrls(source: string): void {
  if (!isStoreUrl(source) && source.includes("://")) refuseUrl(source);
}

function refuseUrl(url: string): never {
  const [name, path] = url.includes("://") ? ["that", "<path>"] : [url, url];
  throw new CliError("usage", `${name} is not the URL of a store`, {
    expected: "file:<path>, sqlite:<path> or postgres://…",
    fix: `name the store by its URL: file:${path}`,
  });
}

/** Returns `source` for display: a URL loses its password. */
export function withoutPassword(source: string): string {
  return source.replace(/^(postgres(?:ql)?:\/\/)(?:([^/:@]*):.*@)?([^?]*).*$/s, (_, scheme, user, rest) =>
    user === undefined ? `${scheme}${rest}` : `${scheme}${user}@${rest}`,
  );
}

/** Returns the URL of a store as drivers expect it: a file's path starts at the folder of the context. */
export function storeIn(context: Pick<InputContext, "pathOf">, url: string): string {
  return url.replace(
    /^((?:file|sqlite):)(?!\/|:)(?!.*:\/\/)(.+)$/s,
    (_, scheme, path) => `${scheme}${context.pathOf(path)}`,
  );
}

const ACCESS = { create: {}, write: { create: false }, read: { readonly: true } } as const;

/**
 * Runs `use` with the store at `url`. The database drivers are loaded only here. If records are dropped while `use`
 * reads, it is called again, at most five times, unless it has called `written`.
 */
export async function withStore<T>(
  context: Pick<InputContext, "pathOf">,
  url: string,
  access: keyof typeof ACCESS,
  use: (store: TrailStore, written: () => void) => Promise<T>,
): Promise<T> {
  if (!isStoreUrl(url)) refuseUrl(url);
  checkNode(process.versions.node);
  const { openTrailStore, readAgain } = await import("@agentprint/trail-store");
  const store = await openTrailStore(storeIn(context, url), ACCESS[access]);
  let hasWritten = access !== "read";
  try {
    return await readAgain(
      () =>
        use(store, () => {
          hasWritten = true;
        }),
      () => hasWritten,
    );
  } finally {
    await store.close();
  }
}

/** @throws {@link CliError} `usage` when databases cannot be used on this version of Node. */
export function checkNode(version: string): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldest, oldestMinor] = DATABASE_NODE;
  if (major > oldest || (major === oldest && minor >= oldestMinor)) return;
  const needed = `Node ${DATABASE_NODE.join(".")} or later`;
  const message = `databases need ${needed}, and this is Node ${version}, which can verify JSON Lines files only`;
  throw new CliError("usage", message, { fix: `run the command with ${needed}` });
}

/** @throws {@link CliError} `unreadable-input` when the store has no record of the task. */
export async function requireTask(store: TrailStore, task: string): Promise<void> {
  if (await store.head(task)) return;
  throw new CliError("unreadable-input", `there is no record of task ${task}`);
}

/**
 * Returns the record with an id, in a task if one is named.
 *
 * @throws {@link CliError} `unreadable-input` when the store has no such record; `usage` when several tasks have it.
 */
export async function requireRecord(store: TrailStore, id: string, task: string | undefined): Promise<ThoughtRecord> {
  const [record, other] = task === undefined ? await store.find(id, 2) : [await store.get(task, id)];
  if (record && other) {
    throw new CliError("usage", `several tasks have a record ${id}`, {
      fix: `name the task with --task ${record.task_id}`,
    });
  }
  if (record) return record;
  throw new CliError("unreadable-input", `there is no record ${id}${task === undefined ? "" : ` of task ${task}`}`);
}

const CHUNK_BYTES = 256 * 1024;

/** Yields the bytes of a file, or of standard input for `-`, in a buffer that is reused. */
export async function* readChunks(context: InputContext, file: string): AsyncGenerator<Uint8Array, void> {
  if (file === "-") {
    yield* readStdin(context);
    return;
  }
  const handle = await openInput(context, file);
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** Reads a short text, such as a key or a signed note, from a file, or from standard input for `-`. */
export async function readText(
  context: InputContext,
  file: string,
  maxBytes: number = MAX_TEXT_BYTES,
): Promise<string> {
  const bytes = await readInput(context, file, maxBytes);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const name = file === "-" ? STDIN_NAME : file;
    throw new CliError("unreadable-input", `${name} is not text`, { expected: "text in UTF-8" });
  }
}
