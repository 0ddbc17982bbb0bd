import {
  type AuthorizationServer,
  clientCredentialsGrantRequest,
  genericTokenEndpointRequest,
  None,
  processClientCredentialsResponse,
  processGenericTokenEndpointResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
} from "oauth4webapi";
import { authenticationOf, type UsableClient } from "../client.ts";
import type { ProtectedServer } from "../discovery/discover.ts";
import type { AuthHttp } from "../http/auth-http.ts";
import { inLibrary, requestOptions } from "../library.ts";
import { requestTokens, type TokenRequest, type Tokens } from "./tokens.ts";

/** A grant that involves no person. */
export interface MachineGrant extends TokenRequest {
  readonly server: Pick<ProtectedServer, "metadata" | "resource">;
  readonly client: UsableClient;
}

function parametersOf({ server, scopes }: MachineGrant): Record<string, string> {
  return { resource: server.resource, ...(scopes.length > 0 && { scope: scopes.join(" ") }) };
}

/** Returns the tokens of a client that acts on its own behalf (RFC 6749, 4.4). @throws {@link AuthError} */
export function grantByCredentials(grant: MachineGrant): Promise<Tokens> {
  const { client } = grant;
  const { metadata } = grant.server;
  return inLibrary("the client credentials", async () => {
    const asClient = { client_id: client.client.id };
    const authentication = await authenticationOf(client);
    const parameters = parametersOf(grant);
    return requestTokens(grant, async (options) => {
      const response = await clientCredentialsGrantRequest(metadata, asClient, authentication, parameters, options);
      return processClientCredentialsResponse(metadata, asClient, response);
    });
  });
}

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/**
 * Returns the tokens granted in exchange for a workload's or an identity provider's token (RFC 7523, 2.1). @throws
 * {@link AuthError}
 */
export function grantByAssertion(grant: MachineGrant, assertion: string): Promise<Tokens> {
  const { client } = grant;
  const { metadata } = grant.server;
  return inLibrary("the assertion", async () => {
    const asClient = { client_id: client.client.id };
    const authentication = await authenticationOf(client);
    const parameters = { ...parametersOf(grant), assertion };
    return requestTokens(grant, async (options) => {
      const response = await genericTokenEndpointRequest(
        metadata,
        asClient,
        authentication,
        JWT_BEARER,
        parameters,
        options,
      );
      return processGenericTokenEndpointResponse(metadata, asClient, response);
    });
  });
}

/** An enterprise's identity provider, and the ID token of a person who is logged in there. */
export interface IdentityProvider {
  readonly metadata: AuthorizationServer;
  readonly clientId: string;
  readonly idToken: string;
}

/** Returns the assertion that an identity provider issues for a server (Enterprise-Managed Authorization). @throws {@link AuthError} */
export function exchangeIdToken(
  http: AuthHttp,
  provider: IdentityProvider,
  server: Pick<ProtectedServer, "issuer" | "resource">,
): Promise<string> {
  return inLibrary("the exchange of the ID token", async () => {
    const client = { client_id: provider.clientId };
    const parameters = {
      subject_token: provider.idToken,
      subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
      requested_token_type: "urn:ietf:params:oauth:token-type:id-jag",
      audience: server.issuer,
      resource: server.resource,
    };
    const grant = "urn:ietf:params:oauth:grant-type:token-exchange";
    const response = await genericTokenEndpointRequest(
      provider.metadata,
      client,
      None(),
      grant,
      parameters,
      requestOptions(http),
    );
    const recognizedTokenTypes = { n_a: () => undefined };
    const answer = await processGenericTokenEndpointResponse(provider.metadata, client, response, {
      recognizedTokenTypes,
    });
    return answer.access_token;
  });
}

/**
 * Returns the tokens granted for a refresh token; if the server issues no new refresh token, the old one is kept.
 *
 * @throws {@link AuthError}
 */
export function grantByRefresh(grant: MachineGrant, refreshToken: string): Promise<Tokens> {
  const { client } = grant;
  const { metadata, resource } = grant.server;
  return inLibrary("the refresh token", async () => {
    const asClient = { client_id: client.client.id };
    const authentication = await authenticationOf(client);
    const tokens = await requestTokens(grant, async (given) => {
      const options = { ...given, additionalParameters: { resource } };
      const response = await refreshTokenGrantRequest(metadata, asClient, authentication, refreshToken, options);
      return processRefreshTokenResponse(metadata, asClient, response);
    });
    return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken };
  });
}
