import {
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomState,
  processAuthorizationCodeResponse,
  validateAuthResponse,
} from "oauth4webapi";
import { authenticationOf, type UsableClient } from "../client.ts";
import type { ProtectedServer } from "../discovery/discover.ts";
import { AuthError } from "../errors.ts";
import { inLibrary } from "../library.ts";
import type { Callback } from "./callback.ts";
import { requestTokens, type TokenRequest, type Tokens } from "./tokens.ts";

/** A person's login through a browser. */
export interface CodeGrant extends TokenRequest {
  readonly server: ProtectedServer;
  readonly client: UsableClient;
  readonly callback: Callback;
  /** Shows a person the authorization server's address. */
  readonly browse: (address: string) => Promise<void> | void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Throws unless the authorization server supports PKCE with S256.
 *
 * @throws {@link AuthError} `auth-pkce`
 */
export function requirePkce({ metadata, issuer }: ProtectedServer): void {
  if (metadata.code_challenge_methods_supported?.includes("S256")) return;
  throw new AuthError(
    "auth-pkce",
    "the authorization server does not declare that it protects codes with PKCE and S256",
    {
      where: issuer,
      expected: "code_challenge_methods_supported with S256",
    },
  );
}

/**
 * Returns the tokens of a person who logs in with a browser, using an authorization code with PKCE; the issuer in the
 * answer is verified before the code is sent to anyone.
 *
 * @throws {@link AuthError} `auth-pkce`, `auth-response`, `auth-denied`, `auth-limit`, `auth-address`
 */
export async function grantByCode(grant: CodeGrant): Promise<Tokens> {
  const { server, client, scopes, prover, callback, browse, signal } = grant;
  requirePkce(server);
  const { metadata, resource } = server;
  if (metadata.authorization_endpoint === undefined) {
    throw new AuthError("auth-metadata", "the authorization server has no authorization_endpoint", {
      where: server.issuer,
    });
  }
  const verifier = generateRandomCodeVerifier();
  const state = generateRandomState();
  const address = new URL(metadata.authorization_endpoint);
  const parameters = {
    response_type: "code",
    client_id: client.client.id,
    redirect_uri: callback.address,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    resource,
    ...(prover !== undefined && { dpop_jkt: await prover.handle.calculateThumbprint() }),
    ...(scopes.length > 0 && { scope: scopes.join(" ") }),
    // OpenID Connect grants offline access only if the person is asked for consent.
    ...(scopes.includes("offline_access") && { prompt: "consent" }),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  const answered = callback.answer(state, signal);
  answered.catch(() => undefined); // It is awaited below, if a browser that does not open has not ended the login.
  await browse(address.href);
  const answer = await answered;
  return inLibrary("the login", async () => {
    const asClient = { client_id: client.client.id };
    const validated = validateAuthResponse(metadata, asClient, answer, state);
    const authentication = await authenticationOf(client);
    return requestTokens(grant, async (given) => {
      const options = { ...given, additionalParameters: { resource } };
      const redirect = callback.address;
      const response = await authorizationCodeGrantRequest(
        metadata,
        asClient,
        authentication,
        validated,
        redirect,
        verifier,
        options,
      );
      return processAuthorizationCodeResponse(metadata, asClient, response);
    });
  });
}
