import { createPrivateKey } from "node:crypto";
import {
  type AuthorizationServer,
  type ClientAuth,
  ClientSecretPost,
  type CryptoKey,
  dynamicClientRegistrationRequest,
  None,
  PrivateKeyJwt,
  processDynamicClientRegistrationResponse,
} from "oauth4webapi";
import { AuthError } from "./errors.ts";
import type { AuthHttp } from "./http/auth-http.ts";
import { inLibrary, requestOptions } from "./library.ts";

/** How a client authenticates at the token endpoint. */
export type ClientMethod = "none" | "client_secret_basic" | "client_secret_post" | "private_key_jwt";

/** A login's client, and its registration with the authorization server. */
export interface RegisteredClient {
  readonly kind: "pre-registered" | "metadata-document" | "dynamic";
  readonly id: string;
  readonly method: ClientMethod;
}

/** The secret of a client: a string, or a private key as PEM (PKCS #8) with its algorithm. */
export type ClientSecret = { readonly secret: string } | { readonly key: string; readonly algorithm?: string };

/** The ways in which a login may obtain a client. */
export interface ClientChoice {
  /** The id of a client that is registered with this authorization server. */
  readonly id?: string | undefined;
  readonly secret?: ClientSecret | undefined;
  /** The issuer that the id and the secret belong to; they are sent to no other issuer. */
  readonly issuer?: string | undefined;
  /** The https address of a Client ID Metadata Document. */
  readonly metadataDocument?: string | undefined;
  /** Asks a person for the id of a client; returns `undefined` if no one answers. */
  readonly ask?: ((issuer: string) => Promise<string | undefined>) | undefined;
}

/** The values that a client is registered with dynamically. */
export interface Registration {
  readonly redirects: readonly string[];
  readonly scopes: readonly string[];
}

/** A client with its secret. */
export interface UsableClient {
  readonly client: RegisteredClient;
  readonly secret: ClientSecret | undefined;
}

/**
 * Returns a login's client, chosen in the order that MCP prescribes: pre-registered, Client ID Metadata Document,
 * dynamic registration, or the id that a person enters.
 *
 * @param registration The redirect addresses and scopes to register a client with
 * @throws {@link AuthError} `auth-client` if there is no way to obtain a client; `auth-denied` if the registration is
 * refused
 */
export async function chooseClient(
  http: AuthHttp,
  server: AuthorizationServer,
  choice: ClientChoice,
  registration: Registration,
): Promise<UsableClient> {
  if (choice.id !== undefined) return preRegistered(server, choice.id, choice);
  const document = choice.metadataDocument;
  if (document !== undefined && server["client_id_metadata_document_supported"] === true) {
    return { client: { kind: "metadata-document", id: document, method: "none" }, secret: undefined };
  }
  if (server.registration_endpoint !== undefined) return register(http, server, registration);
  const id = await choice.ask?.(server.issuer);
  if (id !== undefined && id !== "") return preRegistered(server, id, {});
  throw new AuthError("auth-client", "the authorization server does not register clients itself", {
    where: server.issuer,
    expected: "a client that is registered there",
    fix: "register a client with the provider, and pass it with --client-id <id>",
  });
}

function preRegistered(server: AuthorizationServer, id: string, { secret, issuer }: ClientChoice): UsableClient {
  if (issuer !== undefined && issuer !== server.issuer) {
    throw new AuthError(
      "auth-issuer",
      "the client is registered with an issuer other than the one that the server names",
      {
        where: server.issuer,
        expected: issuer,
      },
    );
  }
  return { client: { kind: "pre-registered", id, method: methodFor(server, secret) }, secret };
}

function methodFor(server: AuthorizationServer, secret: ClientSecret | undefined): ClientMethod {
  if (secret === undefined) return "none";
  if ("key" in secret) return "private_key_jwt";
  const offered = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return !offered.includes("client_secret_basic") && offered.includes("client_secret_post")
    ? "client_secret_post"
    : "client_secret_basic";
}

async function register(
  http: AuthHttp,
  server: AuthorizationServer,
  { redirects, scopes }: Registration,
): Promise<UsableClient> {
  const offered = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const method = ["none", "client_secret_basic", "client_secret_post"].find((each) => offered.includes(each)) ?? "none";
  const offers = server.grant_types_supported;
  const grants = ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"];
  const registered = await inLibrary("the registration of a client", async () => {
    const response = await dynamicClientRegistrationRequest(
      server,
      {
        client_name: "agentprint",
        application_type: "native",
        redirect_uris: [...redirects],
        grant_types: grants.filter((grant) => grant === "authorization_code" || offers?.includes(grant)),
        response_types: ["code"],
        token_endpoint_auth_method: method,
        // Some servers, such as those built with Python's `mcp`, refuse every scope that a client is not registered
        // with.
        ...(scopes.length > 0 && { scope: scopes.join(" ") }),
      },
      requestOptions(http),
    );
    return processDynamicClientRegistrationResponse(await withExpiry(response));
  });
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: said } = registered;
  const given = typeof secret === "string" ? { secret } : undefined;
  return {
    client: { kind: "dynamic", id, method: given === undefined ? "none" : secretMethod(said ?? method) },
    secret: given,
  };
}

/**
 * Adds the time at which the secret expires to a response, if it is missing. RFC 7591 requires it, but many servers
 * omit it: the secret then does not expire.
 */
async function withExpiry(response: Response): Promise<Response> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  if (typeof body !== "object" || body === null || !("client_secret" in body) || "client_secret_expires_at" in body) {
    return response;
  }
  return Response.json({ ...body, client_secret_expires_at: 0 }, { status: response.status });
}

function secretMethod(named: unknown): ClientMethod {
  return named === "client_secret_post" || named === "none" ? named : "client_secret_basic";
}

/** Returns how a client authenticates at the token endpoint. */
export async function authenticationOf({ client, secret }: UsableClient): Promise<ClientAuth> {
  if (secret === undefined) return None();
  if ("key" in secret) return PrivateKeyJwt(await importKey(secret));
  return client.method === "client_secret_post" ? ClientSecretPost(secret.secret) : basicOrNone(client, secret.secret);
}

function basicOrNone(client: RegisteredClient, secret: string): ClientAuth {
  return client.method === "none" ? None() : basic(secret);
}

/**
 * Returns HTTP Basic authentication that escapes only what must be escaped: the library also escapes `-`, `_` and `.`,
 * so servers that do not decode take the name for another client's. The body also names the client, because servers
 * built with Python's `mcp` otherwise answer "Missing client_id".
 */
function basic(secret: string): ClientAuth {
  return (_server, client, body, headers) => {
    body.set("client_id", client.client_id);
    const credentials = Buffer.from([client.client_id, secret].map(encodeURIComponent).join(":")).toString("base64");
    headers.set("authorization", `Basic ${credentials}`);
  };
}

async function importKey({
  key,
  algorithm,
}: {
  readonly key: string;
  readonly algorithm?: string;
}): Promise<CryptoKey> {
  const invalid = (cause: unknown): AuthError =>
    new AuthError("auth-credential", "the client's private key cannot be read", {
      expected: "an RSA, P-256, P-384, P-521 or Ed25519 key as PEM (PKCS #8)",
      cause,
    });
  try {
    const read = createPrivateKey(key);
    const curves: Readonly<Record<string, string>> = { prime256v1: "P-256", secp384r1: "P-384", secp521r1: "P-521" };
    const curve = curves[read.asymmetricKeyDetails?.namedCurve ?? ""];
    const rsa = {
      name: algorithm?.startsWith("PS") ? "RSA-PSS" : "RSASSA-PKCS1-v1_5",
      hash: `SHA-${algorithm?.slice(2) ?? "256"}`,
    };
    const kind = read.asymmetricKeyType;
    const subtle =
      kind === "rsa" ? rsa : kind === "ed25519" ? "Ed25519" : curve && { name: "ECDSA", namedCurve: curve };
    if (!subtle) throw invalid(undefined);
    return await crypto.subtle.importKey("pkcs8", read.export({ type: "pkcs8", format: "der" }), subtle, false, [
      "sign",
    ]);
  } catch (error) {
    throw error instanceof AuthError ? error : invalid(error);
  }
}
