import { ByteWriter } from "./byte-writer.ts";
import { type ByteSink, LF, type Normalizer } from "./normalizer.ts";
import { BYTE_CLASS, VISIBLE, whiteSpaceLength } from "./white-space.ts";

const MAX_PENDING_BYTES = 16 * 1024;

/**
 * Removes white space at the end of each line, and line breaks at the end of the text. The input must already have LF
 * line ends.
 *
 * White space is kept back until it is known whether something visible follows. To keep memory constant, more than
 * `MAX_PENDING_BYTES` bytes of white space are written in advance, and rolled back if nothing visible follows.
 */
export function createTrailingNormalizer(sink: ByteSink): Normalizer {
  const writer = new ByteWriter(sink);
  const blanks = new Uint8Array(MAX_PENDING_BYTES);
  let blankLength = 0;
  let newlines = 0;
  /** The number of newlines that were kept back before the white space that was written in advance. */
  let advancedFrom: number | undefined;

  function writePending(): void {
    writer.repeat(LF, newlines);
    writer.write(blanks, 0, blankLength);
    newlines = 0;
    blankLength = 0;
  }

  function takeBack(): void {
    blankLength = 0;
    if (advancedFrom === undefined) return;
    writer.rollback();
    newlines = advancedFrom;
    advancedFrom = undefined;
  }

  function addBlank(bytes: Uint8Array, start: number, end: number): void {
    if (blankLength + end - start > MAX_PENDING_BYTES) {
      if (advancedFrom === undefined) {
        writer.mark();
        advancedFrom = newlines;
      }
      writePending();
    }
    for (let index = start; index < end; index++) blanks[blankLength++] = bytes[index]!;
  }

  function takeWhiteSpace(bytes: Uint8Array, start: number): number {
    let index = start;
    while (index < bytes.length) {
      const length = whiteSpaceLength(bytes, index);
      if (length === 0) break;
      if (bytes[index] === LF) {
        takeBack();
        newlines++;
      } else {
        addBlank(bytes, index, index + length);
      }
      index += length;
    }
    return index;
  }

  return {
    push(bytes) {
      for (let index = takeWhiteSpace(bytes, 0); index < bytes.length; index = takeWhiteSpace(bytes, index)) {
        writePending();
        advancedFrom = undefined;
        const end = endOfVisible(bytes, index);
        writer.write(bytes, index, end);
        index = end;
      }
    },
    end() {
      takeBack();
      writer.flush();
    },
  };
}

/**
 * Returns the end of the visible text that begins at `start`; after it, the line continues with white space, or the
 * bytes end.
 */
function endOfVisible(bytes: Uint8Array, start: number): number {
  for (let index = start; ; ) {
    while (index < bytes.length && BYTE_CLASS[bytes[index]!] === VISIBLE) index++;
    const end = index;
    for (let length = 1; length > 0 && index < bytes.length; index += length) {
      length = whiteSpaceLength(bytes, index);
      if (length > 0 && bytes[index] === LF) return end;
    }
    if (index === bytes.length) return end;
    // This lead byte begins some white-space characters, but here, it begins another character.
    if (index === end) index++;
  }
}
