import { indexOfByte } from "#bytes";
import { ContentHashError } from "../errors.ts";
import { checkLevel, type NormalizationLevel } from "../levels.ts";
import { createTextHasher } from "../text-hasher.ts";
import { openFile, quote, type SymlinkPolicy, toContentHashError } from "./open-file.ts";

/** How to hash a file. */
export interface ComputeFileHashOptions {
  /** Default `"whitespace"`. */
  readonly level?: NormalizationLevel | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether a symbolic link is followed (the default) or refused. */
  readonly symlinks?: SymlinkPolicy | undefined;
}

const BYTES_AT_A_TIME = 128 * 1024; // more costs memory and saves little time

/**
 * The SHA-256 of a file's text normalized at a level, 64 lowercase hex digits. The file is read as UTF-8 in constant
 * memory; `signal` is looked at between reads.
 *
 * @throws ContentHashError `NOT_FOUND`; `NOT_A_FILE` for directories, devices, FIFOs and sockets; `SYMBOLIC_LINK`;
 * `BINARY_CONTENT` for a NUL byte or bytes that are not UTF-8, except at level `bytes`; `CANCELLED`, whose cause is the
 * signal's reason; `READ_FAILED`; `UNKNOWN_LEVEL`
 *
 * @example
 * ```ts
 * import { computeFileHash } from "@agentprint/content-hash/node";
 *
 * console.log((await computeFileHash("README.md", { level: "eol" })).length); // 64
 * ```
 */
export async function computeFileHash(path: string, options: ComputeFileHashOptions = {}): Promise<string> {
  const { level = "whitespace", signal, symlinks = "follow" } = options;
  checkLevel(level);
  checkCancelled(path, signal);
  const file = await openFile(path, symlinks);
  try {
    const hasher = createTextHasher(level);
    const buffer = new Uint8Array(BYTES_AT_A_TIME);
    let offset = 0;
    for (;;) {
      checkCancelled(path, signal);
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return hasher.digest();
      const bytes = bytesRead === buffer.length ? buffer : buffer.subarray(0, bytesRead);
      if (level !== "bytes") refuseNul(path, bytes, offset);
      hasher.update(bytes);
      offset += bytesRead;
    }
  } catch (error) {
    throw error instanceof ContentHashError && error.code === "MALFORMED_TEXT"
      ? binary(path, `byte ${error.offset} is not UTF-8`, error.offset)
      : toContentHashError(path, error);
  } finally {
    await file.close();
  }
}

function checkCancelled(path: string, signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new ContentHashError("CANCELLED", `hashing ${quote(path)} was cancelled`, { cause: signal.reason });
}

function refuseNul(path: string, bytes: Uint8Array, before: number): void {
  const index = indexOfByte(bytes, 0);
  if (index !== -1) throw binary(path, `byte ${before + index} is NUL`, before + index);
}

function binary(path: string, reason: string, offset: number | undefined): ContentHashError {
  const message = `${quote(path)} is not text: ${reason}. Hash it at level "bytes".`;
  return new ContentHashError("BINARY_CONTENT", message, offset === undefined ? {} : { offset });
}
