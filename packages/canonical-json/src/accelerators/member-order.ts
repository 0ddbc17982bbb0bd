/** Above this many members, the engine's sort is faster. */
const MAX_INSERTIONS = 24;
const FIRST_ASTRAL = 0xf0;
const FIRST_PRIVATE = 0xee;
const NOT_ASCII = 0x80808080;

/**
 * How many numbers a list stores for each member: the start and end of its name in the source, the first four bytes of
 * the name, and the start and end of the member in the output.
 */
export const FIELDS = 5;
export const START = 3;
export const END = 4;

/** Returns the first four bytes of a name as a big-endian number; a shorter name is padded with zeros. */
export function nameStart(view: DataView, start: number, end: number): number {
  if (start + 4 > view.byteLength) return 0;
  const word = view.getInt32(start, false);
  return end - start >= 4 ? word : word & ~(-1 >>> ((end - start) * 8));
}

/**
 * Compares the names of two members, which have no escapes, by UTF-16 code units. UTF-8 has the order of code points,
 * which differs if one name has a character above U+FFFF and the other has one from U+E000 to U+FFFF.
 */
export function compareMembers(source: Uint8Array, members: Int32Array, a: number, b: number): number {
  const xStart = members[a + 2] as number;
  const yStart = members[b + 2] as number;
  if (xStart !== yStart && ((xStart | yStart) & NOT_ASCII) === 0) return xStart - yStart;
  let x = members[a] as number;
  let y = members[b] as number;
  const [xEnd, yEnd] = [members[a + 1] as number, members[b + 1] as number];
  for (; x < xEnd && y < yEnd; x++, y++) {
    const c = source[x] as number;
    const d = source[y] as number;
    if (c === d) continue;
    return c >= FIRST_PRIVATE && d >= FIRST_PRIVATE && c >= FIRST_ASTRAL !== d >= FIRST_ASTRAL ? d - c : c - d;
  }
  return xEnd - x - (yEnd - y);
}

/**
 * Returns the indexes in `members` of the members from `base` up to `end`, ordered by name; `undefined` if two have the
 * same name.
 */
export function memberOrder(source: Uint8Array, members: Int32Array, base: number, end: number): number[] | undefined {
  const order: number[] = [];
  for (let index = base; index < end; index += FIELDS) order.push(index);
  if (order.length > MAX_INSERTIONS) order.sort((a, b) => compareMembers(source, members, a, b));
  else sortByInsertion(source, members, order);
  for (let i = 1; i < order.length; i++) {
    if (compareMembers(source, members, order[i - 1] as number, order[i] as number) === 0) return undefined;
  }
  return order;
}

function sortByInsertion(source: Uint8Array, members: Int32Array, order: number[]): void {
  for (let i = 1; i < order.length; i++) {
    const index = order[i] as number;
    let at = i;
    for (; at > 0 && compareMembers(source, members, order[at - 1] as number, index) > 0; at--) {
      order[at] = order[at - 1] as number;
    }
    order[at] = index;
  }
}
