import * as platform from "#platform";
import { invalidData, isBytes } from "./bytes.ts";

/** An incremental SHA-256: feed it bytes, then take the digest once. */
export interface Sha256Stream {
  /** @throws {@link CanonicalJsonError} `invalid-argument` when `data` is not bytes but, for example, a string */
  update(data: Uint8Array): void;
  /** Returns an independent stream that has taken the same bytes so far. */
  copy(): Sha256Stream;
  /** Returns the digest as 64 lowercase hex digits. */
  hex(): string;
}

/**
 * Returns the SHA-256 of bytes, or of the UTF-8 bytes of a string.
 *
 * @returns 64 lowercase hex digits.
 * @throws {@link CanonicalJsonError} `invalid-argument` when `data` is neither a string nor bytes
 * @example
 * ```ts
 * import { sha256Hex } from "@agentprint/canonical-json";
 *
 * console.log(sha256Hex("a") === sha256Hex(new Uint8Array([97]))); // true
 * ```
 */
export function sha256Hex(data: string | Uint8Array): string {
  if (typeof data !== "string" && !isBytes(data)) throw invalidData("sha256Hex", "a string or a Uint8Array", data);
  return platform.sha256Hex(data);
}

/**
 * Starts a SHA-256 of bytes that arrive in parts.
 *
 * @returns A stream, whose `update` takes only bytes, because text may be split within a character.
 * @example
 * ```ts
 * import { createSha256, sha256Hex } from "@agentprint/canonical-json";
 *
 * const stream = createSha256();
 * stream.update(new TextEncoder().encode("a"));
 * console.log(stream.hex() === sha256Hex("a")); // true
 * ```
 */
export function createSha256(): Sha256Stream {
  return checked(platform.createSha256());
}

function checked(stream: platform.Sha256Stream): Sha256Stream {
  return {
    update: (data) => {
      if (!isBytes(data)) throw invalidData("update of a SHA-256 stream", "a Uint8Array", data);
      stream.update(data);
    },
    copy: () => checked(stream.copy()),
    hex: () => stream.hex(),
  };
}
