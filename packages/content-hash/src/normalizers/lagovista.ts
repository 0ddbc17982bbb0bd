import { ByteWriter } from "./byte-writer.ts";
import { type ByteSink, LF, type Normalizer } from "./normalizer.ts";

const MAX_UNITS = 500;
const REPLACEMENT = Uint8Array.of(0xef, 0xbf, 0xbd);

/**
 * Cuts each line to 500 UTF-16 code units and ends it with LF. If the cut splits a surrogate pair, the half becomes
 * U+FFFD. The input must already have LF line ends.
 */
export function createLagovistaNormalizer(sink: ByteSink): Normalizer {
  const writer = new ByteWriter(sink);
  let units = 0;
  let cut = false;
  return {
    push(bytes) {
      let start = 0;
      for (let index = 0; index < bytes.length; index++) {
        const byte = bytes[index]!;
        if (byte === LF) {
          if (!cut) writer.write(bytes, start, index);
          writer.repeat(LF, 1);
          start = index + 1;
          units = 0;
          cut = false;
        } else if (!cut && (byte & 0xc0) !== 0x80) {
          units += byte >= 0xf0 ? 2 : 1;
          if (units <= MAX_UNITS) continue;
          writer.write(bytes, start, index);
          if (units - MAX_UNITS === 1 && byte >= 0xf0) writer.write(REPLACEMENT, 0, REPLACEMENT.length);
          cut = true;
        }
      }
      if (!cut) writer.write(bytes, start, bytes.length);
    },
    end() {
      writer.repeat(LF, 1);
      writer.flush();
    },
  };
}
