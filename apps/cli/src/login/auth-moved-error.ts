import type { ServerAuth } from "@agentprint/mcp";
import { CliError } from "../run/errors.ts";
import { commandLine, loginLine } from "../terminal/command-line.ts";

/** The error for a server that no token is sent to, because its login has moved since it was pinned. */
export class AuthMovedError extends CliError {
  readonly auth: ServerAuth;

  constructor(name: string, pinned: ServerAuth, auth: ServerAuth) {
    super("login-moved", `the login of ${name} has moved since it was pinned, so that no token was sent`, {
      where: pinned.issuer === auth.issuer ? `the endpoints of ${auth.issuer}` : auth.issuer,
      expected: pinned.issuer,
      fix: `see at the provider whether it has; if so, run ${loginLine(name, pinned.account)}, then ${commandLine(["agentprint", "approve", name])}`,
    });
    this.auth = auth;
  }
}
