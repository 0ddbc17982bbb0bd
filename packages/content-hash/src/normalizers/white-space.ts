/** In {@link BYTE_CLASS}: a byte that does not start a white-space character. */
export const VISIBLE = 0;
/** In {@link BYTE_CLASS}: a white-space character of one byte. */
export const ONE_BYTE = 1;
/** In {@link BYTE_CLASS}: the lead byte of some white-space characters. */
const LEAD = 2;

/** The class of each byte, by the sequences that it can begin. */
export const BYTE_CLASS: Uint8Array = new Uint8Array(256);
BYTE_CLASS.fill(ONE_BYTE, 0x09, 0x0e);
BYTE_CLASS[0x20] = ONE_BYTE;
for (const lead of [0xc2, 0xe1, 0xe2, 0xe3]) BYTE_CLASS[lead] = LEAD;

/**
 * Returns the number of bytes of the White_Space character at `index` of well-formed UTF-8, or 0 if there is none:
 * U+0009–000D, 0020, 0085, 00A0, 1680, 2000–200A, 2028, 2029, 202F, 205F, 3000.
 */
export function whiteSpaceLength(bytes: Uint8Array, index: number): number {
  const lead = bytes[index]!;
  const byteClass = BYTE_CLASS[lead]!;
  if (byteClass !== LEAD) return byteClass;
  const second = bytes[index + 1]!;
  if (lead === 0xc2) return second === 0x85 || second === 0xa0 ? 2 : 0;
  const third = bytes[index + 2]!;
  if (lead === 0xe1) return second === 0x9a && third === 0x80 ? 3 : 0;
  if (lead === 0xe3) return second === 0x80 && third === 0x80 ? 3 : 0;
  if (second === 0x81) return third === 0x9f ? 3 : 0;
  if (second !== 0x80) return 0;
  return (third >= 0x80 && third <= 0x8a) || third === 0xa8 || third === 0xa9 || third === 0xaf ? 3 : 0;
}
