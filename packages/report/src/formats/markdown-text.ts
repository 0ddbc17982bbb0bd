/**
 * Matches characters that can be markup. It does not match the punctuation of a sentence: `,`, `;`, a colon or a full
 * stop that ends a word, a hyphen inside a word, or a full stop inside or after a number that does not begin a line.
 */
const MARKUP =
  /(?<=^\s*\d{1,9})[.)]|(?!(?<=\p{L})-(?=\p{L})|(?<=[\p{L})])(?<!www)[.:](?=\s|$)|(?<=\d)\.(?=\d|\s|$))[!#$&*+.:<=>[-`|~-]/gimu;

/**
 * Returns escaped text in which nothing is markup, not even indentation. The comment keeps `@name` from notifying
 * someone.
 */
export function prose(text: string): string {
  return text.trim().replace(MARKUP, "\\$&").replaceAll("@", "@<!-- -->");
}

/** Returns inline code whose delimiter is longer than any run of backticks inside. */
export function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${longest > 0 || text.trim() !== text ? ` ${text} ` : text}${fence}`;
}
