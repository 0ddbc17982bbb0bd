import { escapeText } from "@agentprint/canonical-json/text";

/** Words as one line that a POSIX shell reads back as these words; what a reader would not see is escaped. */
export function commandLine(words: readonly string[]): string {
  return escapeText(words.map(quote).join(" "));
}

function quote(word: string): string {
  // At the beginning, zsh takes = for the path of a command.
  if (/^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
