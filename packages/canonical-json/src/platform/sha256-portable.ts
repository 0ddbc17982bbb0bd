import { BLOCK_BYTES, compress, INITIAL_STATE, STATE_WORDS } from "../sha256/compress.ts";
import type { Sha256Stream } from "./sha256-node.ts";

export type { Sha256Stream };

/** The byte 0x80 and the length in bits, which follow the data. */
const MIN_PADDING = 9;
const MAX_ONE_SHOT_BYTES = 63 * 1024;
const DIGITS = "0123456789abcdef";
/** The digits of a digest as character codes. */
const digits = new Uint8Array(64);

const encoder = new TextEncoder();
/** What is hashed in one call is put here, so that a text that is not long allocates nothing but its digest. */
const shared = bytesWithView(MAX_ONE_SHOT_BYTES + 2 * BLOCK_BYTES);
const sharedState = new Int32Array(STATE_WORDS);

/** SHA-256 of bytes, or of the UTF-8 bytes of a text, as 64 lowercase hex digits. */
export function sha256Hex(data: string | Uint8Array): string {
  const isText = typeof data === "string";
  // A UTF-16 unit takes at most three bytes.
  if (data.length * (isText ? 3 : 1) > MAX_ONE_SHOT_BYTES) {
    const stream = new PortableSha256();
    stream.update(isText ? encoder.encode(data) : data);
    return stream.hex();
  }
  let length = data.length;
  if (isText) length = encoder.encodeInto(data, shared.bytes).written;
  else shared.bytes.set(data);
  sharedState.set(INITIAL_STATE);
  return finish(sharedState, shared, length, length);
}

export function createSha256(): Sha256Stream {
  return new PortableSha256();
}

class PortableSha256 implements Sha256Stream {
  readonly #state = INITIAL_STATE.slice();
  /** The bytes since the last whole block. */
  readonly #rest = bytesWithView(BLOCK_BYTES);
  #length = 0;

  update(data: Uint8Array): void {
    const before = this.#length % BLOCK_BYTES;
    this.#length += data.length;
    const start = before === 0 ? 0 : BLOCK_BYTES - before;
    this.#rest.bytes.set(data.subarray(0, start), before);
    if (before > 0 && data.length < start) return;
    if (before > 0) compress(this.#state, this.#rest.view, 0, BLOCK_BYTES);
    const end = data.length - ((data.length - start) % BLOCK_BYTES);
    compress(this.#state, viewOf(data), start, end);
    this.#rest.bytes.set(data.subarray(end));
  }

  copy(): Sha256Stream {
    const copy = new PortableSha256();
    copy.#state.set(this.#state);
    copy.#rest.bytes.set(this.#rest.bytes);
    copy.#length = this.#length;
    return copy;
  }

  hex(): string {
    shared.bytes.set(this.#rest.bytes);
    sharedState.set(this.#state);
    return finish(sharedState, shared, this.#length % BLOCK_BYTES, this.#length);
  }
}

interface BytesWithView {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

function bytesWithView(length: number): BytesWithView {
  const bytes = new Uint8Array(length);
  return { bytes, view: viewOf(bytes) };
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Compresses the last `length` bytes with their padding; returns the digest of all `total` bytes. */
function finish(state: Int32Array, { bytes, view }: BytesWithView, length: number, total: number): string {
  const end = Math.ceil((length + MIN_PADDING) / BLOCK_BYTES) * BLOCK_BYTES;
  bytes[length] = 0x80;
  bytes.fill(0, length + 1, end);
  view.setUint32(end - 8, total / 2 ** 29);
  view.setUint32(end - 4, total * 8);
  compress(state, view, 0, end);
  for (let digit = 0; digit < digits.length; digit++) {
    const word = state[digit >>> 3] as number;
    digits[digit] = DIGITS.charCodeAt((word >>> (28 - (digit & 7) * 4)) & 15);
  }
  // Strings that are joined piece by piece stay in pieces until they are compared, which then takes longer than the hashing.
  return String.fromCharCode.apply(null, digits as unknown as number[]);
}
