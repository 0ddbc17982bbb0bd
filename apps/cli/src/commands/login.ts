import { EXIT, type ExitCode } from "@agentprint/findings";
import type { Command } from "commander";
import { formatJson } from "../files/format-json.ts";
import { loginLines, showLogin } from "../login/describe-login.ts";
import { addLoginOptions, type LoginOptions } from "../login/login-options.ts";
import { placeInWords } from "../login/open-logins.ts";
import { runLogin } from "../login/run-login.ts";
import { serverAddress } from "../login/server-address.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";

export const examples: Examples = [
  ["agentprint login https://mcp.example.com/mcp", "log in with a browser; pin and check then use the login"],
  ["agentprint login files --no-browser", "print the address to open"],
  [
    "agentprint login files --credentials --client-id ci --client-secret-env MCP_SECRET",
    "in CI: a client with its secret, without a person",
  ],
  ["agentprint login files --token-command 'vault read -field=token mcp'", "a program that prints a token"],
];

export function define(command: Command): void {
  addLoginOptions(command);
}

export async function run(context: Context, server: string, options: LoginOptions): Promise<ExitCode> {
  const { login, place } = await runLogin(context, await serverAddress(context, options.lock, server), options);
  if (options.format === "json") {
    context.stdout.write(formatJson({ ...showLogin(login), store: place }));
    return EXIT.same;
  }
  context.stdout.write(loginLines(login));
  context.stderr.write(`The tokens are ${placeInWords(context, place)}.\n`);
  return EXIT.same;
}
