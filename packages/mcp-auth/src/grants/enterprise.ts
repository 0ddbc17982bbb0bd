import { readIssuer } from "../discovery/discover.ts";
import { createAuthHttp, reachOfServer } from "../http/auth-http.ts";
import { exchangeIdToken } from "./machine.ts";

/** An enterprise's identity provider, as named by a user. */
export interface NamedProvider {
  readonly issuer: string;
  /** The client that the user's ID tokens are issued for. */
  readonly clientId: string;
}

/**
 * Returns the assertion that an enterprise's identity provider issues for a server. A user names the provider, so it
 * can be nearer to this machine than the server.
 *
 * @throws {@link AuthError} `auth-metadata`, `auth-issuer`, `auth-address`, `auth-denied`, `auth-response`
 */
export async function assertionOf(
  { issuer, clientId }: NamedProvider,
  idToken: string,
  server: Parameters<typeof exchangeIdToken>[2],
): Promise<string> {
  const http = createAuthHttp(await reachOfServer(new URL(issuer)));
  try {
    return await exchangeIdToken(http, { metadata: await readIssuer(http, issuer), clientId, idToken }, server);
  } finally {
    await http.close();
  }
}
