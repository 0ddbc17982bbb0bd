/** The keys of an object in order. */
export interface SortedKeys {
  readonly keys: readonly string[];
  /** Set where these keys came before, all of them plain ASCII. */
  readonly encoded: EncodedKeys | undefined;
}

/**
 * What stands before each value, `"key":`, in words of four bytes, which are written faster than bytes: at `starts[i]`
 * the length of key `i` in bytes, then the bytes, the first of a word in its lowest eight bits.
 */
export interface EncodedKeys {
  readonly words: Int32Array;
  readonly starts: readonly number[];
}

/** A list of keys as an object had them and in order; encoded when it comes again. */
interface Memory extends SortedKeys {
  readonly unsorted: readonly string[];
  readonly timesSeen: 0 | 1 | 2;
}

const NOTHING: Memory = { unsorted: [], timesSeen: 2, keys: [], encoded: undefined };
const SLOTS = 256;
const LONGEST_REMEMBERED = 64;
/** Bytes of the longest remembered key with its quotes and colon. */
export const LONGEST_ENCODED: number = LONGEST_REMEMBERED + 3;
const PLAIN = /^[ !#-[\]-~]*$/;

/** The lists seen last, by a cheap slot number: bounded, so random keys cost a miss and no memory. */
const memories: Memory[] = new Array(SLOTS).fill(NOTHING);

/** Sorts at most a few dozen keys by UTF-16 code units; the same keys in the same order as before are not sorted again. */
export function sortFew(keys: readonly string[]): SortedKeys {
  const { length } = keys;
  if (length === 0) return NOTHING;
  const slot = slotOf(keys);
  const memory = memories[slot] as Memory;
  if (isSame(memory.unsorted, keys)) return memory.timesSeen > 1 ? memory : remember(slot, keys, memory.keys, 2);
  const sorted = insertionSort(keys.slice());
  if (keys.every((key) => key.length <= LONGEST_REMEMBERED)) return remember(slot, keys, sorted, 1);
  return { keys: sorted, encoded: undefined };
}

function slotOf(keys: readonly string[]): number {
  const { length } = keys;
  const first = keys[0] as string;
  const last = keys[length - 1] as string;
  return (
    (length * 29 + first.length * 7 + last.length + (first.charCodeAt(0) ^ (last.charCodeAt(0) << 3))) & (SLOTS - 1)
  );
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return i === a.length;
}

function remember(slot: number, unsorted: readonly string[], keys: readonly string[], timesSeen: 1 | 2): Memory {
  const encoded = timesSeen === 2 && keys.every((key) => PLAIN.test(key)) ? encode(keys) : undefined;
  const memory = { unsorted, timesSeen, keys, encoded };
  memories[slot] = memory;
  return memory;
}

function encode(keys: readonly string[]): EncodedKeys {
  const words: number[] = [];
  const starts = [0];
  for (const key of keys) {
    const text = `"${key}":`;
    words.push(text.length);
    for (let at = 0; at < text.length; at += 4) {
      words.push([0, 1, 2, 3].reduce((word, i) => word | (text.charCodeAt(at + i) << (8 * i)), 0));
    }
    starts.push(words.length);
  }
  return { words: Int32Array.from(words), starts };
}

function insertionSort(keys: string[]): string[] {
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i] as string;
    let at = i;
    for (; at > 0 && (keys[at - 1] as string) > key; at--) keys[at] = keys[at - 1] as string;
    keys[at] = key;
  }
  return keys;
}
