const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const UPPER_E = 0x45;
const LOWER_E = 0x65;
/** A double keeps this many significant digits, so no two decimals of at most this length read as the same double. */
const KEPT_DIGITS = 15;
/** If more zeros follow the point, ECMAScript writes an exponent. */
const MAX_ZEROS = 5;

/**
 * Returns the index after the JSON number that starts at `start`: positive if RFC 8785 writes the number in this form,
 * the index's complement if that is not known yet, and 0 if no number starts there.
 */
export function numberEnd(source: Uint8Array, start: number): number {
  const first = source[start] === MINUS ? start + 1 : start;
  let at = source[first] === ZERO ? first + 1 : digitsEnd(source, first);
  if (at === first) return 0;
  const isZero = at === first + 1 && source[first] === ZERO;
  let isWritten = at - first <= KEPT_DIGITS && !(isZero && first > start);
  if (source[at] === POINT) {
    const fraction = at + 1;
    at = digitsEnd(source, fraction);
    if (at === fraction) return 0;
    isWritten = at - first <= KEPT_DIGITS + 1 && source[at - 1] !== ZERO;
    if (isZero && isWritten) isWritten = zerosAt(source, fraction) <= MAX_ZEROS;
  }
  if (source[at] !== LOWER_E && source[at] !== UPPER_E) return isWritten ? at : ~at;
  at++;
  if (source[at] === PLUS || source[at] === MINUS) at++;
  const end = digitsEnd(source, at);
  return end === at ? 0 : ~end;
}

function digitsEnd(source: Uint8Array, start: number): number {
  let at = start;
  for (let c = source[at] as number; c >= ZERO && c <= NINE; ) c = source[++at] as number;
  return at;
}

function zerosAt(source: Uint8Array, start: number): number {
  let at = start;
  while (source[at] === ZERO) at++;
  return at - start;
}
