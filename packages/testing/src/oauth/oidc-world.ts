import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type ClientMetadata, Provider } from "oidc-provider";
import { type ProofDemand, refusalOfProof } from "./check-proof.ts";
import { type Listening, listening } from "./listen.ts";

/** An authorization server based on oidc-provider, and an MCP server behind it. */
export interface OidcWorld extends AsyncDisposable {
  readonly issuer: string;
  /** The issuer that the server names. */
  named: string;
  /** The address of the server. */
  readonly server: string;
  readonly provider: Provider;
  /** The number of requests to the token endpoint. */
  tokenRequests: number;
  /** The codes, verifiers, tokens and secrets that the authorization server has seen or made. */
  readonly secrets: Set<string>;
  /** The authorization headers that the server has seen. */
  readonly seen: string[];
  /** Answers a request that has a token for the server. */
  serve: (request: IncomingMessage, response: ServerResponse) => unknown;
  /** Whether the server also answers without a token. */
  isOpen: boolean;
  /** The scopes that the server asks for. */
  scopes: string;
  /** The lifetime of an access token, in seconds. */
  lifetime: number;
  /** The requirements for proofs, if the server requests them; the authorization server then requires a nonce in them. */
  proofs: ProofDemand | undefined;
}

/** Logs in and agrees to everything, like a person with a browser: follows redirects and keeps cookies. */
export async function browse(address: string): Promise<void> {
  const cookies = new Map<string, string>();
  for (let place = address; ; ) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(place, { redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    await response.text();
    const next = response.headers.get("location");
    if (next === null) return;
    place = new URL(next, place).href;
  }
}

export async function oidcWorld(clients: ClientMetadata[] = []): Promise<OidcWorld> {
  const authorization = await listening();
  const resource = await listening();
  const server = `${resource.origin}/mcp`;
  const provider = new Provider(authorization.origin, {
    clients,
    cookies: { keys: ["test"] },
    scopes: ["openid", "offline_access", "mcp:read", "mcp:write"],
    pkce: { required: () => true },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    rotateRefreshToken: true,
    ttl: { AccessToken: () => world.lifetime, ClientCredentials: () => world.lifetime, RefreshToken: 3600 },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      registration: { enabled: true },
      dPoP: { enabled: true, nonceSecret: randomBytes(32), requireNonce: () => world.proofs !== undefined },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({ scope: "mcp:read mcp:write", accessTokenFormat: "opaque" }),
      },
    },
  });
  const answer = provider.callback();
  authorization.handle = (request, response) => {
    if (request.url === "/token") world.tokenRequests++;
    if (request.url?.startsWith("/interaction/")) void agree(provider, request, response);
    else void answer(request, response);
  };
  const world: OidcWorld = {
    issuer: authorization.origin,
    named: authorization.origin,
    server,
    provider,
    seen: [],
    secrets: new Set(),
    tokenRequests: 0,
    isOpen: false,
    scopes: "mcp:read",
    lifetime: 3600,
    proofs: undefined,
    serve: (_, response) => response.writeHead(200, { "content-type": "application/json" }).end("{}"),
    [Symbol.asyncDispose]: async () => {
      await authorization[Symbol.asyncDispose]();
      await resource[Symbol.asyncDispose]();
    },
  };
  keepSecrets(provider, world.secrets);
  protect(resource, world);
  return world;
}

const SECRETS = [
  "access_token",
  "refresh_token",
  "id_token",
  "code",
  "code_verifier",
  "client_secret",
  "registration_access_token",
];

function keepSecrets(provider: Provider, secrets: Set<string>): void {
  const keep = ({ body, oidc }: { body?: unknown; oidc?: { params?: unknown } }): void => {
    for (const members of [body, oidc?.params]) {
      for (const [name, value] of Object.entries(members ?? {})) {
        if (SECRETS.includes(name) && typeof value === "string") secrets.add(value);
      }
    }
  };
  provider.on("grant.success", keep);
  provider.on("grant.error", keep);
  provider.on("registration_create.success", keep);
}

function protect(resource: Listening, world: OidcWorld): void {
  const metadata = `${resource.origin}/.well-known/oauth-protected-resource/mcp`;
  resource.handle = async (request, response) => {
    if (request.url === new URL(metadata).pathname) {
      const document = {
        resource: world.server,
        authorization_servers: [world.named],
        scopes_supported: ["mcp:read"],
      };
      return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
    }
    const { authorization = "" } = request.headers;
    if (authorization !== "") world.seen.push(authorization);
    if (world.isOpen) return world.serve(request, response);
    const error = await refusalOf(request, resource.origin, world);
    if (error === undefined) return world.serve(request, response);
    const scheme = world.proofs === undefined ? "Bearer" : `DPoP algs="ES256", error="${error}",`;
    const challenge = `${scheme} resource_metadata="${metadata}", scope="${world.scopes}"`;
    const { nonce } = world.proofs ?? {};
    const headers = { "www-authenticate": challenge, ...(nonce !== undefined && { "dpop-nonce": nonce }) };
    return response.writeHead(401, headers).end();
  };
}

/** Returns why a request is refused; `undefined` if it is served. */
async function refusalOf(request: IncomingMessage, origin: string, world: OidcWorld): Promise<string | undefined> {
  const [scheme, token = ""] = request.headers.authorization?.split(" ") ?? [];
  const { AccessToken, ClientCredentials } = world.provider;
  const found = (await AccessToken.find(token)) ?? (await ClientCredentials.find(token));
  if (!found?.isValid || ![found.aud].flat().includes(world.server)) return "invalid_token";
  // A token that is bound to a key is not a bearer token, whatever the server asks for.
  if (found.jkt === undefined && world.proofs === undefined) return scheme === "Bearer" ? undefined : "invalid_token";
  const demand = world.proofs ?? { nonce: undefined, seen: new Set() };
  return refusalOfProof(request, { origin, jkt: found.jkt, demand });
}

async function agree(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") {
    return provider.interactionFinished(request, response, { login: { accountId: "ann" } });
  }
  const grant = new provider.Grant({ accountId: session?.accountId ?? "", clientId: String(params["client_id"]) });
  grant.addOIDCScope(String(params["scope"] ?? ""));
  grant.addResourceScope(String(params["resource"]), String(params["scope"] ?? ""));
  const grantId = await grant.save();
  return provider.interactionFinished(request, response, { consent: { grantId } }, { mergeWithLastSubmission: true });
}
