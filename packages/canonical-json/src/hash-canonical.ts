import { createSha256, type Sha256Stream, sha256Hex } from "#platform";
import { write } from "./canonicalize.ts";
import { type CanonicalizeOptions, resolveOptions } from "./options.ts";

/**
 * Returns the SHA-256 of the bytes that {@link canonicalizeToBytes} returns, as 64 lowercase hex digits. A large value
 * is hashed while it is written, so memory does not grow with it.
 *
 * @param value - As for `canonicalize`.
 * @param options - As for `canonicalize`.
 * @returns 64 lowercase hex digits.
 * @throws {@link CanonicalJsonError} as {@link canonicalize} does.
 * @example
 * ```ts
 * import { hashCanonical } from "@agentprint/canonical-json";
 *
 * hashCanonical({ b: 1, a: 2 }) === hashCanonical({ a: 2, b: 1 }); // true
 * ```
 */
export function hashCanonical(value: unknown, options?: CanonicalizeOptions): string {
  /** Created only when the buffer is full, because hashing a small value in one call is faster. */
  let stream: Sha256Stream | undefined;
  const sink = {
    update(bytes: Uint8Array): void {
      stream ??= createSha256();
      stream.update(bytes);
    },
  };
  return write(value, resolveOptions(options), sink, ({ out }) => {
    if (stream === undefined) return sha256Hex(out.peek());
    stream.update(out.peek());
    return stream.hex();
  });
}
