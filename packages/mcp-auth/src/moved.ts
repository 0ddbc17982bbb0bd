import { AuthError } from "./errors.ts";
import { quoted } from "./http/quoted.ts";
import type { Login } from "./store/login.ts";

/** The authorization server that a server names now, with the endpoints that receive tokens. */
interface NamedServer {
  readonly issuer: string;
  readonly endpoints: Readonly<Record<string, string>>;
}

/**
 * Returns the error for a login whose server no longer uses the same authorization server: the issuer has changed, or
 * an endpoint is at an origin that the login does not know. In this case, no token may be sent. Returns `undefined` if
 * the login has not moved.
 *
 * @param name The server, as `agentprint login` names it
 */
export function whereMoved(login: Login, now: NamedServer, name: string = login.server): AuthError | undefined {
  if (now.issuer !== login.issuer)
    return moved(login, "the server names a different authorization server", now.issuer, name);
  const known = new Set([login.issuer, ...Object.values(login.endpoints)].map((address) => new URL(address).origin));
  for (const [member, address] of Object.entries(now.endpoints)) {
    const before = Object.hasOwn(login.endpoints, member) ? login.endpoints[member] : undefined;
    const { origin } = new URL(address);
    if (before === undefined ? known.has(origin) : new URL(before).origin === origin) continue;
    return moved(login, `the authorization server has its ${member} at a different origin`, address, name);
  }
  return undefined;
}

function moved({ issuer }: Login, what: string, where: string, name: string): AuthError {
  return new AuthError("auth-issuer", `${what} than at the login, so no token was sent`, {
    where: quoted(where),
    expected: quoted(issuer),
    fix: `find out why the login has moved, then log in again with agentprint login ${name}`,
  });
}
