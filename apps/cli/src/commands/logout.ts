import { escapeText } from "@agentprint/canonical-json/text";
import { EXIT, type ExitCode } from "@agentprint/findings";
import type { Command } from "commander";
import { formatJson } from "../files/format-json.ts";
import { openLogins } from "../login/open-logins.ts";
import { serverAddress } from "../login/server-address.ts";
import { addLockOptions, type LockOptions } from "../options/lock-options.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import type { Examples } from "../terminal/examples.ts";

interface LogoutOptions extends LockOptions {
  readonly account?: string;
}

export const examples: Examples = [
  ["agentprint logout https://mcp.example.com/mcp", "forget the tokens for this server"],
  ["agentprint logout files", "the same, by its name in the lock file"],
];

export function define(command: Command): void {
  addLockOptions(command)
    .argument("<server>", "the address of a server, or the name of a pinned one")
    .option("--account <name>", "the account, if the login has an account name");
}

export async function run(
  context: Context,
  server: string,
  { lock, format, account }: LogoutOptions,
): Promise<ExitCode> {
  const address = await serverAddress(context, lock, server);
  const store = await openLogins(context);
  await store.exclusive(async () => {
    if ((await store.find(address, account)) !== undefined) return store.remove(address, account);
    throw new CliError("usage", `there is no login for ${server}`, { fix: "see all logins: agentprint whoami" });
  });
  if (format === "json") context.stdout.write(formatJson({ loggedOut: address }));
  else context.stdout.write(`the login for ${escapeText(address)} is forgotten\n`);
  return EXIT.same;
}
