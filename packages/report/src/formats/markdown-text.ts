/** Matches characters that can be markup. The punctuation of a sentence cannot: `,`, `;`, a colon or a full stop that ends a word, a hyphen inside. */
const MARKUP = /(?!(?<=\p{L})-(?=\p{L})|(?<=[\p{L})])(?<!www)[.:](?=\s|$))[!#$&*+.:<=>[-`|~-]|(?<=\d)\)/giu;

/** Returns escaped text in which nothing is markup, not even by indentation; the comment keeps `@name` from notifying someone. */
export function prose(text: string): string {
  return text.trim().replace(MARKUP, "\\$&").replaceAll("@", "@<!-- -->");
}

/** Returns inline code whose delimiter is longer than any run of backticks inside. */
export function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${longest > 0 || text.trim() !== text ? ` ${text} ` : text}${fence}`;
}
