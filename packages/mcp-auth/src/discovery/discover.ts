import {
  type AuthorizationServer,
  processDiscoveryResponse,
  processResourceDiscoveryResponse,
  type ResourceServer,
} from "oauth4webapi";
import { AuthError } from "../errors.ts";
import type { AuthHttp } from "../http/auth-http.ts";
import { quoted } from "../http/quoted.ts";
import { inLibrary } from "../library.ts";
import type { Challenge } from "./challenge.ts";
import { issuerPlaces, resourcePlaces } from "./well-known.ts";

/** A server that requires a login, and the authorization server that it names. */
export interface ProtectedServer {
  /** The resource that tokens are requested for (RFC 8707). */
  readonly resource: string;
  readonly issuer: string;
  readonly metadata: AuthorizationServer;
  /** The scopes that the resource metadata lists. */
  readonly scopesSupported: readonly string[] | undefined;
  /**
   * The algorithms of the proofs (DPoP) that the server requires; empty if it names none, absent if it requires no
   * proofs.
   */
  readonly proofAlgorithms?: readonly string[] | undefined;
}

const ENDPOINTS = [
  "authorization_endpoint",
  "token_endpoint",
  "registration_endpoint",
  "device_authorization_endpoint",
  "revocation_endpoint",
] as const;

/** Returns the addresses in an authorization server's metadata, by member name. */
export function endpointsOf(metadata: AuthorizationServer): Record<string, string> {
  return Object.fromEntries(
    ENDPOINTS.flatMap((member) => {
      const address = metadata[member];
      return address === undefined ? [] : [[member, String(address)]];
    }),
  );
}

/**
 * Finds the authorization server of an MCP server: reads the resource metadata from the address in the challenge or
 * from a well-known place, then the metadata of the first authorization server that it names.
 *
 * @throws {@link AuthError} `auth-metadata` if there is no metadata, `auth-resource` if it describes another resource,
 * `auth-issuer` if it belongs to another issuer, `auth-address` if it names an address that the server may not name
 */
export async function discover(http: AuthHttp, server: URL, challenge: Challenge): Promise<ProtectedServer> {
  const found = await readResource(http, server, challenge);
  const resource = requireResource(found.resource, server);
  const issuer = found.authorization_servers?.[0];
  if (typeof issuer !== "string") {
    throw new AuthError("auth-metadata", "the server's metadata does not name an authorization server", {
      expected: "authorization_servers with at least one issuer",
    });
  }
  const metadata = await readIssuer(http, issuer);
  const scopes = found.scopes_supported;
  return {
    resource,
    issuer,
    metadata,
    scopesSupported: isTexts(scopes) ? scopes : undefined,
    proofAlgorithms: proofsAsked(challenge, found),
  };
}

function proofsAsked({ proofAlgorithms: asked }: Challenge, resource: ResourceServer): readonly string[] | undefined {
  const { dpop_signing_alg_values_supported: listed, dpop_bound_access_tokens_required: isRequired } = resource;
  if (asked !== undefined && asked.length > 0) return asked;
  if (isTexts(listed) && listed.length > 0) return listed;
  return isRequired === true ? [] : asked;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

async function readResource(http: AuthHttp, server: URL, { resourceMetadata }: Challenge) {
  if (resourceMetadata !== undefined && http.address(resourceMetadata, "resource_metadata").origin !== server.origin) {
    throw new AuthError("auth-address", "the server says that its metadata is at another origin", {
      where: quoted(resourceMetadata),
      expected: `an address at ${server.origin}`,
    });
  }
  const places = resourceMetadata === undefined ? resourcePlaces(server) : [resourceMetadata];
  const { response } = await firstFound(http, places, "the server has no metadata for a protected resource");
  // The resource is compared below: a server at a path may have metadata for its entire origin.
  const resource = await memberOf(response.clone(), "resource");
  return inLibrary("the request for metadata", () => processResourceDiscoveryResponse(new URL(resource), response));
}

/** Returns the resource in the metadata if it is the server's address or a parent of it at the same origin. */
function requireResource(resource: string, server: URL): string {
  const url = new URL(resource);
  const above = url.pathname.endsWith("/") ? url.pathname : `${url.pathname}/`;
  const covers = url.origin === server.origin && `${server.pathname}/`.startsWith(above) && url.hash === "";
  if (covers && (url.search === "" || url.search === server.search)) return resource;
  throw new AuthError("auth-resource", "the server's metadata describes another resource", {
    where: quoted(resource),
    expected: `${server.origin}${server.pathname}, or a parent of it`,
  });
}

/**
 * Returns an issuer's metadata.
 *
 * @throws {@link AuthError} `auth-metadata`, `auth-issuer`, `auth-address`
 */
export async function readIssuer(http: AuthHttp, issuer: string): Promise<AuthorizationServer> {
  const url = http.address(issuer, "the issuer");
  const places = issuerPlaces(url);
  const { response, place } = await firstFound(http, places, "the authorization server has no metadata");
  const said = await memberOf(response.clone(), "issuer");
  if (said !== issuer) {
    throw new AuthError("auth-issuer", "the metadata belongs to an issuer other than the requested one", {
      where: quoted(place),
      expected: quoted(issuer),
    });
  }
  const metadata = await inLibrary("the request for metadata", () => processDiscoveryResponse(url, response));
  for (const [endpoint, address] of Object.entries(endpointsOf(metadata))) http.address(address, endpoint);
  return metadata;
}

/** Returns the first of the places that answers with status 200, and its response. */
async function firstFound(http: AuthHttp, places: readonly string[], missing: string) {
  for (const place of places) {
    const response = await http.fetch(place, { headers: { accept: "application/json" } });
    if (response.status === 200) return { response, place };
    if (response.status >= 500) break;
  }
  throw new AuthError("auth-metadata", missing, { expected: `a document at ${places.map(quoted).join(" or ")}` });
}

async function memberOf(response: Response, name: string): Promise<string> {
  const value = await response.json().then(
    (json) => (typeof json === "object" && json !== null ? (json as Record<string, unknown>)[name] : undefined),
    () => undefined,
  );
  if (typeof value === "string" && URL.canParse(value)) return value;
  throw new AuthError("auth-metadata", `the metadata has no ${name} address`, {
    expected: "a JSON object (RFC 8414, RFC 9728)",
  });
}
