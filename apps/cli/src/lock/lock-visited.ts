import {
  type LockedServer,
  lockServer,
  McpLockError,
  type UnstableOptions,
  type VisitAnswers,
} from "@agentprint/mcp-lock";
import type { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import { commandLine } from "../terminal/command-line.ts";
import { refuseServedSecrets } from "./refuse-served-secrets.ts";

/**
 * The lock entry of a server that was visited.
 *
 * @throws {CliError} `server-unstable`, `server-garbage`, `server-secrets`
 */
export function lockVisited(
  context: Pick<Context, "hidden">,
  name: string,
  answers: VisitAnswers,
  options: UnstableOptions = {},
): LockedServer {
  refuseServedSecrets(context, name, answers);
  try {
    return lockServer(name, answers, options);
  } catch (error) {
    if (!(error instanceof McpLockError)) throw error;
    throw cannotBePinned(name, error);
  }
}

function cannotBePinned(name: string, error: McpLockError): CliError {
  const message = `what ${name} offers cannot be pinned: ${error.message}`;
  if (error.code === "unstable-member") {
    return new CliError("server-unstable", message, {
      expected: "the same answer each time",
      fix: `if the member is of no use to a model, leave it out: ${commandLine(["--allow-unstable", error.path])}`,
    });
  }
  if (error.code === "server-unstable") {
    return new CliError("server-unstable", message, { expected: "the same answer each time" });
  }
  return new CliError("server-garbage", message, {
    expected: "items with one name each, as objects that have a canonical text",
    fix: `report it to the author of the server (${error.code})`,
  });
}
