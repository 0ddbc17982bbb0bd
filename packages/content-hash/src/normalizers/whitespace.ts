import type { ByteSink, Normalizer } from "./normalizer.ts";
import { BYTE_CLASS, ONE_BYTE, VISIBLE, whiteSpaceLength } from "./white-space.ts";

const SPACE = 0x20;

/** Replaces each run of white space with one space, and removes the runs at the start and at the end of the text. */
export function createWhitespaceNormalizer(sink: ByteSink): Normalizer {
  let scratch = new Uint8Array(0);
  let started = false;
  let spaceDue = false;
  return {
    push(bytes) {
      const size = bytes.length;
      if (scratch.length < size + 1) scratch = new Uint8Array(size + 1);
      const target = scratch;
      let length = 0;
      let index = skipWhiteSpace(bytes, 0);
      if (index > 0) spaceDue = started;
      if (index === size) return;
      if (spaceDue) target[length++] = SPACE;
      spaceDue = false;
      started = true;
      while (index < size) {
        const byte = bytes[index]!;
        if (BYTE_CLASS[byte] === VISIBLE) {
          target[length++] = byte;
          index++;
          continue;
        }
        const next = skipWhiteSpace(bytes, index);
        if (next === index) {
          target[length++] = byte;
          index++;
          continue;
        }
        if (next < size) target[length++] = SPACE;
        else spaceDue = true;
        index = next;
      }
      sink.write(target.subarray(0, length));
    },
    end() {},
  };
}

function skipWhiteSpace(bytes: Uint8Array, start: number): number {
  const size = bytes.length;
  let index = start;
  while (index < size) {
    // Most white space is ASCII, which the table finds without `whiteSpaceLength`.
    while (index < size && BYTE_CLASS[bytes[index]!] === ONE_BYTE) index++;
    const length = index < size ? whiteSpaceLength(bytes, index) : 0;
    if (length === 0) break;
    index += length;
  }
  return index;
}
