/** Returns the offset of the first byte at which two texts differ; `undefined` if they are equal. */
export function firstDifference(before: Uint8Array, after: Uint8Array): number | undefined {
  const shorter = Math.min(before.length, after.length);
  for (let offset = 0; offset < shorter; offset++) if (before[offset] !== after[offset]) return offset;
  return before.length === after.length ? undefined : shorter;
}
