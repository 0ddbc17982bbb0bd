import { createSha256, type Sha256Stream } from "@agentprint/canonical-json/sha256";
import { ContentHashError } from "./errors.ts";
import { checkLevel, type NormalizationLevel } from "./levels.ts";
import { createNormalizer } from "./normalizers/create-normalizer.ts";
import type { ByteSink } from "./normalizers/normalizer.ts";
import { Utf8Feed } from "./utf8-feed.ts";

/**
 * Computes a normalized hash of content that arrives in pieces. A piece may end anywhere: in a CRLF, in a run of white
 * space, in a character. A character split between pieces must continue in a piece of the same type, text or bytes.
 */
export interface TextHasher {
  /**
   * Adds the next piece: text, or UTF-8 bytes (any bytes at level `bytes`).
   *
   * @throws {@link ContentHashError} `MALFORMED_TEXT` when a piece is ill-formed, `INVALID_CONTENT` when it is neither text nor
   * bytes.
   */
  update(piece: string | Uint8Array): void;
  /**
   * Returns the SHA-256 of everything added, as 64 lowercase hex digits. Call it only once, at the end.
   *
   * @throws {@link ContentHashError} `MALFORMED_TEXT` when the content ends inside a character.
   */
  digest(): string;
}

/**
 * Hashes a text piece by piece in constant memory.
 *
 * @throws {@link ContentHashError} `UNKNOWN_LEVEL` when the level does not exist.
 *
 * @example
 * ```ts
 * import { computeTextHash, createTextHasher } from "@agentprint/content-hash";
 *
 * const hasher = createTextHasher("eol");
 * hasher.update("one\r");
 * hasher.update("\ntwo");
 * console.log(hasher.digest() === computeTextHash("one\ntwo", "eol")); // true
 * ```
 */
export function createTextHasher(level: NormalizationLevel = "whitespace"): TextHasher {
  checkLevel(level);
  const sink = new HashSink();
  const normalizer = createNormalizer(level, sink);
  const feed = new Utf8Feed((bytes) => normalizer.push(bytes), level);
  return {
    update(piece) {
      if (typeof piece === "string") feed.takeText(piece);
      else if (!(piece instanceof Uint8Array)) throw invalidContent(piece);
      else feed.takeBytes(piece);
    },
    digest() {
      feed.end();
      normalizer.end();
      return sink.hex();
    },
  };
}

export function invalidContent(received: unknown): ContentHashError {
  const type = received === null ? "null" : typeof received;
  return new ContentHashError("INVALID_CONTENT", `content must be text or bytes; received ${type}`);
}

class HashSink implements ByteSink {
  #stream: Sha256Stream = createSha256();
  #marked: Sha256Stream = this.#stream;

  write(bytes: Uint8Array): void {
    this.#stream.update(bytes);
  }

  mark(): void {
    this.#marked = this.#stream.copy();
  }

  rollback(): void {
    this.#stream = this.#marked;
  }

  hex(): string {
    return this.#stream.hex();
  }
}
