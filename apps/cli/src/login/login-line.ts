import { commandLine } from "../terminal/command-line.ts";

/** Returns the words that name a login behind `agentprint login`: the server, and the account where it has one. */
export function loginWords(server: string, account: string | undefined): string[] {
  return [server, ...(account === undefined ? [] : ["--account", account])];
}

/** Returns the command that logs in to a server. */
export function loginLine(server: string, account: string | undefined): string {
  return commandLine(["agentprint", "login", ...loginWords(server, account)]);
}
