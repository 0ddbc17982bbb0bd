import { checkArgument } from "../check-argument.ts";
import { ContentHashError } from "../errors.ts";
import { checkLevel, type NormalizationLevel } from "../levels.ts";
import { createFileHasher } from "./file-hasher.ts";
import { openFile, quote, type SymlinkPolicy, toContentHashError } from "./open-file.ts";

/** Options for hashing a file. */
export interface ComputeFileHashOptions {
  /** Default `"whitespace"`. */
  readonly level?: NormalizationLevel | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether a symbolic link is followed (the default) or refused. */
  readonly symlinks?: SymlinkPolicy | undefined;
}

/** A larger buffer would take more memory and save little time. */
const BYTES_AT_A_TIME = 128 * 1024;

/**
 * Returns the SHA-256 of a file's text normalized at a level, as 64 lowercase hex digits. The file is read as UTF-8 in
 * constant memory. `signal` is checked before each read.
 *
 * @throws {@link ContentHashError} `NOT_FOUND` when there is nothing at the path, `NOT_A_FILE` when it is a directory,
 * device, FIFO or socket, `SYMBOLIC_LINK` when it is a link and links are refused, `READ_FAILED` when it cannot be
 * read.
 * @throws {@link ContentHashError} `BINARY_CONTENT` when the file contains a NUL byte or is not UTF-8, except at level
 * `bytes`.
 * @throws {@link ContentHashError} `CANCELLED` when the signal is aborted; the signal's reason is the error's cause.
 * @throws {@link ContentHashError} `UNKNOWN_LEVEL` when the level does not exist.
 *
 * @example
 * ```ts
 * import { computeFileHash } from "@agentprint/content-hash/node";
 *
 * console.log((await computeFileHash("README.md", { level: "eol" })).length); // 64
 * ```
 */
export async function computeFileHash(path: string, options: ComputeFileHashOptions = {}): Promise<string> {
  checkArgument("options", options, "object");
  const { level = "whitespace", signal, symlinks = "follow" } = options;
  checkLevel(level);
  checkCancelled(path, signal);
  const file = await openFile(path, symlinks);
  try {
    const hasher = createFileHasher(path, level);
    const buffer = new Uint8Array(BYTES_AT_A_TIME);
    for (;;) {
      checkCancelled(path, signal);
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return hasher.digest();
      hasher.update(bytesRead === buffer.length ? buffer : buffer.subarray(0, bytesRead));
    }
  } catch (error) {
    throw toContentHashError(path, error);
  } finally {
    await file.close();
  }
}

function checkCancelled(path: string, signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new ContentHashError("CANCELLED", `hashing ${quote(path)} was cancelled`, { cause: signal.reason });
}
