/**
 * A value that was canonicalized once. The writer copies its text. Without this file, the writer would write the value
 * that `toJSON` returns, with the same result.
 *
 * Speeds up the hashing of toolkits, whose digests contain the same JSON Schemas many times.
 */
import type { ValueWriter, WrittenPart } from "../writer/value-writer.ts";
import { pieces } from "./pieces.ts";

/** A value that was canonicalized once and is not read again as part of larger values; see `precanonicalize`. */
export class CanonicalPart {
  readonly #value: unknown;
  readonly #written: WrittenPart;

  constructor(value: unknown, written: WrittenPart) {
    this.#value = value;
    this.#written = written;
    Object.freeze(this);
  }

  get value(): unknown {
    return this.#value;
  }

  /** The canonical text of `value`. */
  get text(): string {
    return this.#written.text;
  }

  /** Returns the value, for writers that do not support parts. */
  toJSON(): unknown {
    return this.#value;
  }

  /** @internal A brand that no subclass or look-alike can forge. */
  static writtenOf(part: CanonicalPart): WrittenPart {
    return part.#written;
  }
}

export function isPart(value: unknown): boolean {
  return value instanceof CanonicalPart;
}

/** Copies a part's text at a given depth. */
export function writePart(writer: ValueWriter, part: unknown, depth: number): void {
  const { text, height, options } = CanonicalPart.writtenOf(part as CanonicalPart);
  const { strict, keyOrder } = writer.options;
  if (options.strict !== strict || options.keyOrder !== keyOrder) {
    writer.reject("invalid-option", "a canonical part was written with another profile or key order");
  }
  writer.addLevels(depth + height);
  for (const piece of pieces(text)) writer.out.json(piece);
}
