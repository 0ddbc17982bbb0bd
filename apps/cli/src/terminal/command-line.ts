import { escapeText } from "@agentprint/canonical-json/text";
import type { Context } from "../run/context.ts";

/**
 * Returns words as one line that a POSIX shell, or PowerShell on Windows, splits into the same words. Invisible
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
  // At the beginning of a word, zsh replaces = and the name of a command with the command's path.
  if (/^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Returns the words that name a login after `agentprint login`: the server, and the account if it has one. */
export function loginWords(server: string, account: string | undefined): string[] {
  return [server, ...(account === undefined ? [] : ["--account", account])];
}

/** Returns the command that logs in to a server. */
export function loginLine(server: string, account: string | undefined): string {
  return commandLine(["agentprint", "login", ...loginWords(server, account)]);
}

/** The words that call a program again through a package manager, by the name of the manager. */
const CALLS: Readonly<Record<string, string>> = {
  npm: "npx agentprint",
  pnpm: "pnpm agentprint",
  yarn: "yarn agentprint",
  bun: "bunx agentprint",
};

/** A command in a text: `agentprint` before the name of a command. */
const COMMAND =
  /(?<![\w@/.-])(?<!\b(?:npx|pnpm|yarn|bunx) )agentprint (?=(?:approve|check|doctor|explain|guard|init|list|pin|remove|rules|show|status|unwrap|wrap)\b)/g;

/**
 * Returns a text whose commands begin as this process was invoked: directly, or through `npx`, `pnpm`, `yarn` or
 * `bunx`.
 */
export function asCalled({ env }: Pick<Context, "env">, text: string): string {
  return text.replace(COMMAND, `${callOf(env)} `);
}

/** Returns a command line, which may have arbitrary words, in the form in which this process was invoked. */
export function lineAsCalled({ env }: Pick<Context, "env">, line: string): string {
  return line.replace(/^agentprint /, `${callOf(env)} `);
}

function callOf(env: Context["env"]): string {
  const manager = /^(\w+)\//.exec(env["npm_config_user_agent"] ?? "")?.[1] ?? "";
  return (Object.hasOwn(CALLS, manager) ? CALLS[manager] : undefined) ?? "agentprint";
}
