/** The number of bytes in one row. */
const ROW_BYTES = 8;

/** The number of bytes shown at once. */
export const PAGE_BYTES: number = 16 * ROW_BYTES;

/** One row: the offset of its first byte, each byte as two digits, and the visible ASCII characters. */
export interface HexRow {
  readonly offset: number;
  readonly hex: readonly string[];
  readonly text: string;
}

/** Returns the rows of one page of bytes, beginning at an offset. */
export function hexRows(bytes: Uint8Array, from: number): HexRow[] {
  const rows: HexRow[] = [];
  const end = Math.min(from + PAGE_BYTES, bytes.length);
  for (let offset = from; offset < end; offset += ROW_BYTES) {
    const row = Array.from(bytes.subarray(offset, Math.min(offset + ROW_BYTES, end)));
    rows.push({
      offset,
      hex: row.map((byte) => byte.toString(16).padStart(2, "0")),
      text: row.map((byte) => (byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·")).join(""),
    });
  }
  return rows;
}
