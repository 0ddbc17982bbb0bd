/** Takes normalized bytes. The bytes are only lent: whoever keeps them copies them. */
export interface ByteSink {
  write(bytes: Uint8Array): void;
  /** Remembers this place. */
  mark(): void;
  /** Forgets what was written since the last mark. */
  rollback(): void;
}

/** Takes well-formed UTF-8 in pieces that end between characters. The bytes are only lent. */
export interface Normalizer {
  push(bytes: Uint8Array): void;
  end(): void;
}

export const LF = 0x0a;
export const CR = 0x0d;
