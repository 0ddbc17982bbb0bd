/** Returns a number with its noun, such as `1 chain` or `2 chains`; only for nouns that form their plural with `s`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
