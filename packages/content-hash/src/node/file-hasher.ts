import { indexOfByte } from "#bytes";
import { ContentHashError } from "../errors.ts";
import type { NormalizationLevel } from "../levels.ts";
import { createTextHasher } from "../text-hasher.ts";
import { quote } from "./open-file.ts";

/** Hashes a file whose bytes arrive piece by piece. */
export interface FileHasher {
  /**
   * Adds the next bytes.
   *
   * @throws {@link ContentHashError} `BINARY_CONTENT` when the bytes are not UTF-8 text, `INVALID_CONTENT` when the
   * value is not bytes.
   */
  update(bytes: Uint8Array): void;
  /**
   * Returns the SHA-256 of all bytes added, as 64 lowercase hex digits. Call it only once, at the end.
   *
   * @throws {@link ContentHashError} `BINARY_CONTENT` when the content ends inside a character.
   */
  digest(): string;
}

/**
 * Hashes bytes from any source in the same way as {@link computeFileHash} hashes a file; `name` is used in messages.
 *
 * @throws {@link ContentHashError} `UNKNOWN_LEVEL` when the level does not exist.
 *
 * @example
 * ```ts
 * import { computeTextHash } from "@agentprint/content-hash";
 * import { createFileHasher } from "@agentprint/content-hash/node";
 *
 * const hasher = createFileHasher("standard input");
 * hasher.update(new TextEncoder().encode("a\r\n b"));
 * console.log(hasher.digest() === computeTextHash("a b")); // true
 * ```
 */
export function createFileHasher(name: string, level: NormalizationLevel = "whitespace"): FileHasher {
  const hasher = createTextHasher(level);
  let offset = 0;
  const refusingBinary = <Result>(run: () => Result): Result => {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof ContentHashError) || error.code !== "MALFORMED_TEXT") throw error;
      throw binary(name, "not UTF-8", error.offset as number);
    }
  };
  return {
    update(bytes) {
      const nul = level !== "bytes" && bytes instanceof Uint8Array ? indexOfByte(bytes, 0) : -1;
      if (nul !== -1) throw binary(name, "NUL", offset + nul);
      refusingBinary(() => hasher.update(bytes));
      offset += bytes.length;
    },
    digest: () => refusingBinary(() => hasher.digest()),
  };
}

function binary(name: string, fault: string, offset: number): ContentHashError {
  const message = `${quote(name)} is not text: byte ${offset} is ${fault}. Hash it at level "bytes".`;
  return new ContentHashError("BINARY_CONTENT", message, { offset });
}
