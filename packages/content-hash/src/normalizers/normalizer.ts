/** Receives normalized bytes. Their memory is reused after the call, so a sink must copy the bytes that it keeps. */
export interface ByteSink {
  write(bytes: Uint8Array): void;
  /** Remembers the current length. */
  mark(): void;
  /** Discards everything written since the last mark. */
  rollback(): void;
}

/**
 * Normalizes well-formed UTF-8 in pieces that end between characters. The memory of a piece is reused after the call.
 */
export interface Normalizer {
  push(bytes: Uint8Array): void;
  end(): void;
}

export const LF = 0x0a;
export const CR = 0x0d;
