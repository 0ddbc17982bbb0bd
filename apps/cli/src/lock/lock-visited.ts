import type { VisitAnswers } from "@agentprint/mcp";
import { type LockedServer, lockServer, McpLockError, type UnstableOptions } from "@agentprint/mcp-lock";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { commandLine } from "../terminal/command-line.ts";
import { refuseServedSecrets } from "./refuse-served-secrets.ts";

/**
 * The lock entry of a server that was visited.
 *
 * @throws {@link CliError} `server-unstable` when two answers differ although the server announced no change;
 * `server-garbage` when the answers have no entry, such as two tools of one name; `server-secrets` when a secret is in them
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
  const message = `the answers of ${name} cannot be pinned: ${error.message}`;
  if (error.code === "unstable-member") {
    return new CliError("server-unstable", message, {
      expected: "the same answer each time",
      fix: `if the member is of no use to a model, leave it out: ${commandLine(["--allow-unstable", error.path])}`,
    });
  }
  if (error.code === "server-unstable") {
    return new CliError("server-unstable", message, {
      expected: "the same answer each time",
      fix: "run the command again; if the answers differ again, report that to the author of the server",
    });
  }
  return new CliError("server-garbage", message, {
    expected: "items that are JSON objects, each with a name of its own",
    fix: `report this answer to the author of the server (${error.code})`,
  });
}
