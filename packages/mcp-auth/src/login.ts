import { type ClientChoice, chooseClient, type UsableClient } from "./client.ts";
import { type Challenge, readChallenge } from "./discovery/challenge.ts";
import { discover, type ProtectedServer } from "./discovery/discover.ts";
import { AuthError } from "./errors.ts";
import { grantByCode, requirePkce } from "./grants/authorization-code.ts";
import { listenForCallback } from "./grants/callback.ts";
import { grantByDevice } from "./grants/device.ts";
import { scopesIn, type Tokens } from "./grants/tokens.ts";
import type { AuthHttp } from "./http/auth-http.ts";
import { newProofKey, proverOf } from "./proof.ts";

/** A server that required a login. */
export interface ChallengedServer extends ProtectedServer {
  /** The scopes to request: those in the challenge, or else those that the resource metadata lists. */
  readonly scopes: readonly string[];
}

/**
 * Returns the authorization server of an MCP server, and the scopes to request from it. If no challenge is given,
 * requests one from the server.
 *
 * @throws {@link AuthError} as {@link discover}; `auth-metadata` if the server does not require a login
 */
export async function findAuthorization(http: AuthHttp, server: URL, given?: Challenge): Promise<ChallengedServer> {
  const challenge = given ?? (await askForChallenge(http, server));
  const found = await discover(http, server, challenge);
  const scopes = challenge.scope === undefined ? (found.scopesSupported ?? []) : scopesIn(challenge.scope);
  return { ...found, scopes };
}

async function askForChallenge(http: AuthHttp, server: URL): Promise<Challenge> {
  const response = await http.fetch(server.href, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
  });
  return response.status === 401 ? readChallenge(response) : {};
}

/** The options for a person's login. */
export interface PersonalLogin {
  readonly http: AuthHttp;
  readonly server: ChallengedServer;
  readonly choice: ClientChoice;
  /** Scopes in addition to the server's, such as the previous login's. */
  readonly moreScopes?: readonly string[] | undefined;
  /** The port of the redirect address. Default: any free one. */
  readonly redirectPort?: number | undefined;
  readonly browse: (address: string) => Promise<void> | void;
  /** Shows the address and code of the device flow; set this to use that flow. */
  readonly showDevice?: ((address: string, code: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const LOOPBACK = "http://127.0.0.1/callback";

/**
 * Logs a person in.
 *
 * @throws {@link AuthError} `auth-client`, `auth-pkce`, `auth-response`, `auth-denied`, `auth-limit`, `auth-address`
 */
export async function loginPerson(login: PersonalLogin): Promise<{ tokens: Tokens; client: UsableClient }> {
  const { http, server, choice, redirectPort = 0, signal } = login;
  const { metadata } = server;
  const offline = metadata.scopes_supported?.includes("offline_access") ? ["offline_access"] : [];
  const scopes = [...new Set([...server.scopes, ...(login.moreScopes ?? []), ...offline])];
  const prover = await proverOf(await newProofKey(server));
  const request = { http, server, scopes, prover, signal };
  if (login.showDevice !== undefined) {
    if (metadata.device_authorization_endpoint === undefined) {
      throw new AuthError("auth-metadata", "the authorization server offers no login on another device", {
        where: server.issuer,
        fix: "log in with a browser",
      });
    }
    const client = await chooseClient(http, metadata, choice, { redirects: [LOOPBACK], scopes });
    return { tokens: await grantByDevice({ ...request, client, show: login.showDevice }), client };
  }
  requirePkce(server);
  await using callback = await listenForCallback(redirectPort);
  const client = await chooseClient(http, metadata, choice, { redirects: [LOOPBACK, callback.address], scopes });
  const tokens = await grantByCode({ ...request, client, callback, browse: login.browse });
  return { tokens, client };
}
