/** A text without its digests and signatures, which are kept separately because compression cannot shrink their bytes. */
export interface Packed {
  /**
   * The text, in which a control character, which no line of JSON contains, replaces each value: U+0001 stands for the
   * next 32 bytes as 64 hex digits, U+0002 for the next 64 bytes in Base64, and U+0003, a number and `;` for the value
   * that many values earlier.
   */
  readonly text: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export const DIGEST_BYTES = 32;
export const SIGNATURE_BYTES = 64;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they stand for values
const MARKS = /(\u0001)|\u0002|\u0003([0-9]+);/g;

/**
 * Returns the lines that were packed.
 *
 * @throws {RangeError} when values are missing or left over, which means that someone changed the page
 */
export function unpackValues({ text, bytes }: Packed): string {
  const values: string[] = [];
  let at = 0;
  const take = (length: number): Uint8Array => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const lines = text.replace(MARKS, (_mark, digest?: string, back?: string) => {
    const known = back === undefined ? undefined : values[values.length - Number(back)];
    const value = known ?? (digest !== undefined ? toHex(take(DIGEST_BYTES)) : toBase64(take(SIGNATURE_BYTES)));
    values.push(value);
    return value;
  });
  if (at !== bytes.length) throw new RangeError(`expected ${at} bytes of digests and signatures, not ${bytes.length}`);
  return lines;
}

function toHex(bytes: Uint8Array): string {
  let hex = "";
  for (const byte of bytes) hex += HEX[byte];
  return hex;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
