/** A set of code points as a flat list of sorted, disjoint, inclusive ranges: `[first, last, first, last, …]`. */
export type CodePoints = readonly number[];

const MAX_CODE_POINT = 0x10ffff;

export const ANY: CodePoints = [0, MAX_CODE_POINT];

export function union(sets: readonly CodePoints[]): CodePoints {
  const ranges: [number, number][] = [];
  for (const set of sets) for (let i = 0; i < set.length; i += 2) ranges.push([set[i] as number, set[i + 1] as number]);
  ranges.sort((a, b) => a[0] - b[0]);
  const flat: number[] = [];
  for (const [first, last] of ranges) {
    const end = flat.length - 1;
    if (end > 0 && first <= (flat[end] as number) + 1) flat[end] = Math.max(flat[end] as number, last);
    else flat.push(first, last);
  }
  return flat;
}

export function complement(set: CodePoints): CodePoints {
  const flat: number[] = [];
  let next = 0;
  for (let i = 0; i < set.length; i += 2) {
    if ((set[i] as number) > next) flat.push(next, (set[i] as number) - 1);
    next = (set[i + 1] as number) + 1;
  }
  if (next <= MAX_CODE_POINT) flat.push(next, MAX_CODE_POINT);
  return flat;
}

export function contains(set: CodePoints, codePoint: number): boolean {
  let [low, high] = [0, set.length / 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((set[2 * middle + 1] as number) < codePoint) low = middle + 1;
    else high = middle;
  }
  return 2 * low < set.length && (set[2 * low] as number) <= codePoint;
}

// ECMA-262 §22.2.2.9: \d, \w without the i flag, \s, and the characters that `.` does not match.
export const DIGITS: CodePoints = [48, 57];
export const WORD: CodePoints = [48, 57, 65, 90, 95, 95, 97, 122];
export const SPACES: CodePoints = [
  9, 13, 32, 32, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000,
  0x3000, 0xfeff, 0xfeff,
];
export const LINE_TERMINATORS: CodePoints = [10, 10, 13, 13, 0x2028, 0x2029];

// Readable characters come first. Surrogates are omitted, because a well-formed string does not contain unpaired ones.
const PREFERRED: CodePoints = [
  97,
  122,
  65,
  90,
  48,
  57,
  45,
  47,
  33,
  126,
  32,
  32,
  0xa1,
  0xd7ff,
  0xe000,
  MAX_CODE_POINT,
  0,
  31,
];

/** Returns the most readable character in a range, or `undefined` if the range consists of surrogates. */
export function representative(first: number, last: number): number | undefined {
  for (let i = 0; i < PREFERRED.length; i += 2) {
    const low = Math.max(first, PREFERRED[i] as number);
    if (low <= Math.min(last, PREFERRED[i + 1] as number)) return low;
  }
  return first <= 0xa0 && last >= 0x7f ? Math.max(first, 0x7f) : undefined;
}
