import { checkLevel, type NormalizationLevel } from "./levels.ts";
import { createNormalizer } from "./normalizers/create-normalizer.ts";
import type { ByteSink } from "./normalizers/normalizer.ts";
import { invalidContent } from "./text-hasher.ts";
import { Utf8Feed } from "./utf8-feed.ts";

/**
 * Returns the text whose UTF-8 bytes are hashed at a level.
 *
 * @throws {@link ContentHashError} `MALFORMED_TEXT` when the text has a lone surrogate (which level `lagovista`
 * replaces with U+FFFD), `INVALID_CONTENT` when it is not a string, `UNKNOWN_LEVEL` when the level does not exist.
 *
 * @example
 * ```ts
 * import { normalizeText } from "@agentprint/content-hash";
 *
 * console.log(normalizeText("  if (x) {\r\n\treturn;\r\n  }\r\n")); // "if (x) { return; }"
 * ```
 */
export function normalizeText(text: string, level: NormalizationLevel = "whitespace"): string {
  checkLevel(level);
  if (typeof text !== "string") throw invalidContent(text);
  const sink = new TextSink();
  const normalizer = createNormalizer(level, sink);
  const feed = new Utf8Feed((bytes) => normalizer.push(bytes), level);
  feed.takeText(text);
  feed.end();
  normalizer.end();
  return sink.text();
}

class TextSink implements ByteSink {
  #bytes: Uint8Array = new Uint8Array(1024);
  #length = 0;
  #marked = 0;

  write(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(length * 2);
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = length;
  }

  mark(): void {
    this.#marked = this.#length;
  }

  rollback(): void {
    this.#length = this.#marked;
  }

  text(): string {
    // Any further U+FEFF is text, not a byte order mark.
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this.#bytes.subarray(0, this.#length));
  }
}
