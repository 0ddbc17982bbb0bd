import type { VisitAnswers } from "@agentprint/mcp";
import { type LockedServer, lockServer, McpLockError, type UnstableOptions } from "@agentprint/mcp-lock";
import { findSecretsInAnswers, type ServedSecret } from "@agentprint/mcp-visit";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { commandLine } from "../terminal/command-line.ts";

/**
 * Returns the lock entry of a visited server.
 *
 * @throws {@link CliError} `server-unstable` when two answers differ although the server announced no change;
 * `cannot-vary` when a member cannot vary; `server-garbage` when no entry can be made of the answers, such as with two
 * tools of the same name; `server-secrets` when they contain a secret
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
  // The reason names an item that is listed twice; its index in the answers would not help a reader.
  const reason = error.code === "duplicate-name" ? error.reason : error.message;
  const message = `the answers of ${name} cannot be pinned: ${reason}`;
  if (error.code === "unstable-member") {
    return new CliError("server-unstable", message, {
      expected: "the same answer each time",
      fix: `if the member is of no use to a model, leave it out: ${commandLine(["--allow-unstable", error.path])}`,
    });
  }
  if (error.code === "cannot-vary") {
    return new CliError("cannot-vary", `${name} is not pinned, because a member cannot vary: ${error.reason}`, {
      where: error.path,
      expected: "prose, default, examples, _meta, or the order of enum or required, of something that the server has",
      fix: "run agentprint pin without --vary, and without visits.vary in agentprint.config.json: it prints what differs",
    });
  }
  if (error.code === "server-unstable") {
    return new CliError("server-unstable", message, {
      expected: "the same answer each time",
      fix: "run the command again; if the answers differ again, report that to the author of the server",
    });
  }
  return new CliError("server-garbage", message, {
    expected: "items that are JSON objects, each with a unique name",
    fix: `report this answer to the author of the server (${error.code})`,
  });
}

const MAX_TOLD = 20;

/**
 * Refuses answers that contain a secret, because a lock or a manifest would keep it.
 *
 * @throws {@link CliError} `server-secrets` when an answer contains the value of a variable or a header, or a token
 */
export function refuseServedSecrets({ hidden }: Pick<Context, "hidden">, name: string, answers: VisitAnswers): void {
  const secrets = findSecretsInAnswers(answers, hidden.known);
  const found = new Set(secrets.map(describePlace));
  if (found.size === 0) return;
  const uris = secrets.map(({ kind, name: uri }) => (kind === "resource" || kind === "content" ? uri : undefined));
  const setting = JSON.stringify({ visits: { leaveOut: { [name]: [...new Set(uris)] } } });
  const byDesign = uris.every((uri) => uri !== undefined)
    ? `; if it is there by design, leave the resource out of the lock: ${setting} in agentprint.config.json`
    : "";
  const more = found.size > MAX_TOLD ? [`and ${found.size - MAX_TOLD} more`] : [];
  throw new CliError("server-secrets", `${name} cannot be pinned, because its answers contain secrets`, {
    where: [...[...found].slice(0, MAX_TOLD), ...more].join("\n"),
    expected: "definitions without the values of secret variables and headers, and without tokens",
    fix: `report this to the author of the server, and replace the secret, because the server shows it to every client${byDesign}`,
  });
}

function describePlace({ kind, name, pointer, variable, tokenOf }: ServedSecret): string {
  const item = `${kind}${name === undefined ? "" : ` ${name}`}${pointer === "" ? "" : ` at ${pointer}`}`;
  return variable === undefined ? `${item}: has the form of a token (${tokenOf})` : `${item}: the value of ${variable}`;
}
