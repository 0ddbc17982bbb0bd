import { exec } from "node:child_process";
import { promisify } from "node:util";
import { AuthError, type Credentials } from "@agentprint/mcp-auth";
import { readInput } from "../files/read-input.ts";
import type { Context } from "../run/context.ts";
import { reasonOf } from "../run/errors.ts";

/** The maximum size of a token or a key, in bytes. */
const MAX_BYTES = 64 * 1024;
/** The maximum running time of a command that prints a token, in milliseconds. */
const COMMAND_TIMEOUT = 60_000;

/** Returns the reader of the credentials that logins name; no output shows its results. */
export function readCredentials(context: Pick<Context, "env" | "hidden" | "pathOf" | "stdin" | "signal">): Credentials {
  const hide = (name: string, value: string): string => {
    if (value === "") throw new AuthError("auth-credential", `${name} is empty`, { expected: "a secret, or a token" });
    context.hidden.hide([{ name, value }]);
    return value;
  };
  return {
    variable: (name) => {
      const value = context.env[name];
      if (value !== undefined) return hide(name, value);
      throw new AuthError("auth-credential", `the variable ${name} is not set`, {
        expected: "the secret of the client",
      });
    },
    file: async (path) => {
      // Standard input may be the channel of a client, so no file is read from it.
      const bytes = await readInput(context, path === "-" ? "./-" : path, MAX_BYTES).catch((cause: unknown) => {
        throw new AuthError("auth-credential", reasonOf(cause), { cause });
      });
      return hide(path, new TextDecoder().decode(bytes).trim());
    },
    command: async (command) => {
      const options = { env: context.env, cwd: context.pathOf("."), maxBuffer: MAX_BYTES, timeout: COMMAND_TIMEOUT };
      const { stdout } = await promisify(exec)(command, options).catch(() => {
        // The call's own error contains the output of the command, which can be a token.
        throw new AuthError("auth-credential", "the token command failed", {
          where: command,
          expected: "one token, and exit code 0",
        });
      });
      return hide("the token of the token command", stdout.trim());
    },
  };
}
