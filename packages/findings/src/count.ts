/** Returns a number with its noun, `1 chain` or `2 chains`; for nouns whose plural ends in `s`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
