import type { ServerAuth } from "@agentprint/mcp";
import {
  createAuthHttp,
  loginNeeded,
  reachOfServer,
  type ServerLogin,
  StoredAuthorization,
} from "@agentprint/mcp-auth";
import { isMovedAuth } from "@agentprint/mcp-lock/lock";
import type { HttpAuthorization, UnauthorizedRequest } from "@agentprint/mcp-visit";
import { openLogins } from "../login/open-logins.ts";
import { readCredentials } from "../login/read-credentials.ts";
import type { Context } from "../run/context.ts";
import { OtherThanPinnedError } from "../run/errors.ts";
import { commandLine, loginLine, loginWords } from "../terminal/command-line.ts";
import type { PinnedLogin } from "../visit/visit-plan.ts";

/** The login that a visit requests. */
interface WishedLogin {
  readonly pinned?: PinnedLogin | undefined;
  readonly account?: string | undefined;
  /** The milliseconds after which the server is asked again where its login is. Default: it is asked once. */
  readonly askAgainAfter?: number;
}

/** The authorization of requests to a server, and the login that it uses. */
interface OpenAuthorization {
  readonly authorization: HttpAuthorization;
  /** The login for the server; `undefined` if there is none. */
  readonly auth: ServerLogin | undefined;
}

/**
 * Returns the authorization of a visit, from the login for its server; no output shows its tokens. The server has been
 * asked for its login's address, but has received no token.
 *
 * @throws {@link OtherThanPinnedError} `login-moved` if the login is not where the entry says
 * @throws AuthError `auth-required` if the entry has a login, or an account is named, and this machine has none;
 * `auth-issuer` if the login has moved since it was made
 */
export async function openAuthorization(
  context: Context,
  server: string,
  { pinned, account, askAgainAfter }: WishedLogin = {},
): Promise<OpenAuthorization> {
  const name = commandLine(loginWords(pinned?.name ?? server, account));
  const stored = new StoredAuthorization({
    store: await openLogins(context),
    http: createAuthHttp(await reachOfServer(new URL(server)), context.signal, context.answers),
    server,
    account,
    name,
    credentials: readCredentials(context),
    askAgainAfter,
    accept: (login) => {
      // The entry of a guarded server can be replaced.
      const expected = pinned?.isReview === false ? pinned.auth : undefined;
      if (pinned && expected && isMovedAuth(expected, login)) throw authMoved(pinned.name, expected, login);
    },
  });
  const auth = await stored.describe();
  if (auth === undefined && (pinned?.auth !== undefined || account !== undefined))
    throw loginNeeded(server, `there is no login for ${name}`, name);
  const headers = async (request: UnauthorizedRequest) => {
    const sent = await stored.headers(request);
    const value = sent["authorization"]?.replace(/^\S+ /, "");
    if (value !== undefined) context.hidden.hide([{ name: "the access token", value }]);
    return sent;
  };
  return { auth, authorization: { headers, refused: (response, sent) => stored.refused(response, sent) } };
}

/** Returns the error for a server to which no token is sent, because its login has moved since it was pinned. */
function authMoved(name: string, pinned: ServerAuth, auth: ServerAuth): OtherThanPinnedError {
  const message = `the login of ${name} has moved since it was pinned, so no token was sent`;
  return new OtherThanPinnedError(
    "login-moved",
    message,
    { auth },
    {
      where: pinned.issuer === auth.issuer ? `the endpoints of ${auth.issuer}` : auth.issuer,
      expected: pinned.issuer,
      fix: `ask the provider whether it has; if so, run ${loginLine(name, pinned.account)}, then ${commandLine(["agentprint", "approve", name])}`,
    },
  );
}
