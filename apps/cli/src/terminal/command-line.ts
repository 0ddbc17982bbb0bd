import { escapeText } from "@agentprint/canonical-json/text";

/**
 * Returns words as one line that a POSIX shell, or PowerShell on Windows, reads back as the same words. Invisible
 * characters are escaped.
 */
export function commandLine(words: readonly string[], platform: NodeJS.Platform = process.platform): string {
  const quote = platform === "win32" ? quoteForPowerShell : quoteForPosix;
  return escapeText(words.map(quote).join(" "));
}

function quoteForPowerShell(word: string): string {
  return /^[\w+=:./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`;
}

function quoteForPosix(word: string): string {
  // At the beginning, zsh takes = for the path of a command.
  if (/^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Returns the words that name a login behind `agentprint login`: the server, and the account where it has one. */
export function loginWords(server: string, account: string | undefined): string[] {
  return [server, ...(account === undefined ? [] : ["--account", account])];
}

/** Returns the command that logs in to a server. */
export function loginLine(server: string, account: string | undefined): string {
  return commandLine(["agentprint", "login", ...loginWords(server, account)]);
}
