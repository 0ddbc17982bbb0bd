import { EXIT, type ExitCode } from "@agentprint/findings";
import { isSameServer } from "@agentprint/mcp-auth";
import type { Command } from "commander";
import { formatJson } from "../files/format-json.ts";
import { loginLines, showLogin } from "../login/describe-login.ts";
import { openLogins } from "../login/open-logins.ts";
import { serverAddress } from "../login/server-address.ts";
import { addLockOptions, type LockOptions } from "../options/lock-options.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";

export const examples: Examples = [
  ["agentprint whoami", "every login: issuer, scopes, client and expiry"],
  ["agentprint whoami files --format json", "the login for one server, as JSON"],
];

export function define(command: Command): void {
  addLockOptions(command).argument("[server]", "the address of a server, or the name of a pinned one");
}

export async function run(
  context: Context,
  server: string | undefined,
  { lock, format }: LockOptions,
): Promise<ExitCode> {
  const store = await openLogins(context);
  const all = await store.all();
  const address = server === undefined ? undefined : await serverAddress(context, lock, server);
  const logins = address === undefined ? all : all.filter((login) => isSameServer(login.server, address));
  if (format === "json") context.stdout.write(formatJson({ logins: logins.map(showLogin) }));
  else if (logins.length === 0) context.stdout.write("there is no login\n");
  else context.stdout.write(logins.map(loginLines).join(""));
  return EXIT.same;
}
