import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { addAbortSignal } from "node:stream";
import type { InputContext } from "../run/context.ts";
import { CliError, isMissing, reasonOf } from "../run/errors.ts";

/** The name shown for input that came from standard input. */
export const STDIN_NAME = "standard input";
/**
 * The names of files that the caller has opened for the command: standard input, and the process substitution of
 * shells.
 */
const PASSED = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/self\/fd\/\d+)$/;

/**
 * Reads a file, or standard input for `-`, and stops with an error after `maxBytes`; `option` is the option that raises
 * the limit, if there is one.
 */
export async function readInput(
  context: InputContext,
  file: string,
  maxBytes: number,
  option?: string,
): Promise<Uint8Array> {
  return await withInput(context, file, (pieces, name) => collect(limited(pieces, name, maxBytes, option)));
}

/** Calls `use` with the pieces of a file, or of standard input for `-`; `size` is a regular file's size. */
export async function withInput<T>(
  context: InputContext,
  file: string,
  use: (pieces: AsyncIterable<Uint8Array>, name: string, size?: number) => Promise<T>,
): Promise<T> {
  if (file === "-") return await use(readStdin(context), STDIN_NAME);
  try {
    const handle = await openInput(context, file);
    try {
      const stat = await handle.stat();
      const size = stat.isFile() ? stat.size : undefined;
      return await use(readChunks(handle, size), file, size);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw unreadable(file, error, "a readable file, or - for standard input");
  }
}

/**
 * Opens a regular file, or what the caller has opened. Other kinds are refused, because a pipe can block, and a device
 * may never end.
 *
 * @throws {@link CliError} `unreadable-input` when it cannot be opened, or is of another kind
 */
export async function openInput(context: Pick<InputContext, "pathOf">, file: string): Promise<FileHandle> {
  const path = context.pathOf(file);
  try {
    return PASSED.test(file) ? await open(path) : (await openRegular(path)).handle;
  } catch (error) {
    throw unreadable(file, await causeOf(path, error), "a readable file, or - for standard input");
  }
}

async function openRegular(path: string): Promise<{ readonly handle: FileHandle; readonly size: number }> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const stat = await handle.stat();
  if (stat.isFile()) return { handle, size: stat.size };
  await handle.close();
  throw new Error("it is not a regular file");
}

/**
 * Returns the reason why a file could not be read; a dangling link is not treated as missing, so that no default
 * replaces it.
 */
async function causeOf(path: string, error: unknown): Promise<unknown> {
  const found = isMissing(error) ? await lstat(path).catch(() => undefined) : undefined;
  return found?.isSymbolicLink() ? new Error("it is a link to a file that does not exist") : error;
}

function unreadable(file: string, cause: unknown, expected: string): CliError {
  return new CliError("unreadable-input", `cannot read ${file}: ${reasonOf(cause)}`, { expected, cause });
}

/**
 * Reads a regular file that an untrusted source names; other kinds are refused, because a pipe can block, and a device
 * may never end.
 *
 * @throws {@link CliError} `unreadable-input`, `too-large` when the file cannot be read
 */
export async function readRegularFile(
  context: Pick<InputContext, "pathOf">,
  file: string,
  maxBytes: number,
): Promise<Uint8Array> {
  try {
    const { handle, size } = await openRegular(context.pathOf(file));
    try {
      return await collect(limited(readChunks(handle, size), file, maxBytes, undefined));
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw unreadable(file, await causeOf(context.pathOf(file), error), "a regular file that can be read");
  }
}

/** Returns the bytes of standard input, until it ends or the run is stopped. */
export function readStdin({ stdin, signal }: InputContext): AsyncIterable<Uint8Array> {
  return signal === undefined ? stdin : addAbortSignal(signal, stdin);
}

/** Yields the pieces of an input; throws if they are longer than allowed. */
export async function* limited(
  pieces: AsyncIterable<Uint8Array>,
  name: string,
  maxBytes: number,
  option: string | undefined,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > maxBytes) {
      throw new CliError("too-large", `${name} is longer than ${maxBytes} bytes`, {
        expected: `at most ${maxBytes} bytes`,
        fix: option && `raise the limit with ${option} <n>`,
      });
    }
    yield piece;
  }
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const collected: Uint8Array[] = [];
  for await (const piece of pieces) collected.push(piece);
  return Buffer.concat(collected);
}

const CHUNK_BYTES = 64 * 1024;
/** A buffer of this length is taken from memory that Node has already allocated. */
const MIN_CHUNK_BYTES = 2 * 1024;

/**
 * Yields the bytes of an open file from its position on. Buffers are no longer than `size`, its probable size, because
 * full-sized buffers for small files fill memory so fast that Node collects all garbage every few hundred files.
 * Setting up a Node stream takes longer than reading a small file.
 */
export async function* readChunks(file: FileHandle, size: number = CHUNK_BYTES): AsyncGenerator<Uint8Array> {
  const length = Math.max(MIN_CHUNK_BYTES, Math.min(size + 1, CHUNK_BYTES));
  for (let free = Buffer.allocUnsafe(length); ; ) {
    const { bytesRead } = await file.read(free);
    if (bytesRead === 0) return;
    yield free.subarray(0, bytesRead);
    free = bytesRead < free.length ? free.subarray(bytesRead) : Buffer.allocUnsafe(CHUNK_BYTES);
  }
}
