/** Returns the number of bytes before the first ill-formed or truncated sequence (The Unicode Standard, table 3-7). */
export function wellFormedLength(bytes: Uint8Array): number {
  let i = 0;
  for (;;) {
    const length = sequenceLength(bytes, i);
    if (length === 0) return i;
    i += length;
  }
}

/** Returns the length of the well-formed sequence at an index; 0 if the bytes there are ill-formed or truncated. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0xff;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  // The second byte excludes overlong forms, surrogates and everything beyond U+10FFFF.
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (!isWithin(bytes[at + 1], lowest, highest)) return 0;
  for (let i = 2; i < length; i++) if (!isWithin(bytes[at + i], 0x80, 0xbf)) return 0;
  return length;
}

function isWithin(byte: number | undefined, lowest: number, highest: number): boolean {
  return byte !== undefined && byte >= lowest && byte <= highest;
}
