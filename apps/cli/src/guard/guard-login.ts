import type { Guard } from "@agentprint/guard";
import { type AskServer, serverAt, withChallengeNotice, withLogin } from "@agentprint/guard-proxy/http";
import { AuthError } from "@agentprint/mcp-auth/errors";
import type { HttpAuthorization, HttpTarget, UnauthorizedRequest } from "@agentprint/mcp-visit";
import type { Context } from "../run/context.ts";
import { OtherThanPinnedError } from "../run/errors.ts";
import { commandLine } from "../terminal/command-line.ts";
import { printNotices } from "../terminal/notices.ts";
import { printError } from "../terminal/report-error.ts";
import type { GuardCommandOptions } from "./guard-options.ts";
import type { LoadedLock } from "./load-lock.ts";

/** A guarded server at an address. */
interface RemoteServer {
  readonly name: string;
  readonly target: HttpTarget;
  readonly guard: Guard;
  /** The lock in force at this moment. */
  readonly inForce: () => LoadedLock;
}

/**
 * Returns how a server is contacted: with the guard's login, or without one, and then with a notice if the server
 * requires one.
 */
export function askRemote(context: Context, server: RemoteServer, options: GuardCommandOptions): AskServer {
  const { name, target } = server;
  const ask = serverAt(target.url);
  if (options.login) return withLogin(ask, target.url, lazyLogin(context, server, options), failureOf(context, server));
  if (options.passThrough.includes(name)) return ask;
  let isSaid = false;
  return withChallengeNotice(ask, () => {
    const login = commandLine(["agentprint", "login", name]);
    if (!isSaid) printNotices(context, [`${name} asks for a login: run ${login}, and start the guard with --login`]);
    isSaid = true;
  });
}

/**
 * Returns the login of a server, which the first request opens; the server's metadata is requested as often as lists
 * are verified.
 */
function lazyLogin(context: Context, { name, target, inForce }: RemoteServer, { recheck }: GuardCommandOptions) {
  const pinned = {
    name,
    get auth() {
      return inForce().lock.servers.find((each) => each.name === name)?.auth;
    },
    isReview: false,
  };
  let opened: Promise<HttpAuthorization> | undefined;
  const login = (): Promise<HttpAuthorization> => {
    // OAuth is loaded only if a server is reached with a login.
    opened ??= import("../visit/open-authorization.ts")
      .then(({ openAuthorization }) =>
        openAuthorization(context, target.url, { pinned, account: pinned.auth?.account, askAgainAfter: recheck }),
      )
      .then(({ authorization }) => authorization);
    // A failure, such as a network error, is not kept, so the next request tries again.
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
  return {
    headers: async (request: UnauthorizedRequest) => (await login()).headers(request),
    refused: async (...denied: Parameters<HttpAuthorization["refused"]>) => (await login()).refused(...denied),
  };
}

/** Records and prints why a login cannot be used, but never the same reason twice in a row. */
function failureOf(context: Context, { name, guard }: RemoteServer): (error: unknown) => void {
  let last = "";
  return (error) => {
    const isMoved =
      error instanceof OtherThanPinnedError || (error instanceof AuthError && error.code === "auth-issuer");
    if (isMoved) guard.refused(["auth/issuer-changed"], "the login of the server has moved");
    else if (error instanceof AuthError) {
      const isReplaced = error.code === "auth-replaced";
      guard.refused(
        [],
        isReplaced ? "another login has replaced the server's login" : "the login of the server cannot be used",
      );
    }
    const text = error instanceof Error ? error.message : "";
    if ((isMoved || error instanceof AuthError) && text !== last) printError(context, error, name);
    last = text;
  };
}
