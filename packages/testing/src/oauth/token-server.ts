import type { IncomingMessage } from "node:http";
import type { AuthorizationServer } from "oauth4webapi";
import { bodyOf, type Listening, listening } from "./listen.ts";

/** A request to an authorization server. */
interface Asked {
  readonly authorization: string | undefined;
  readonly body: URLSearchParams;
}

/**
 * An authorization server that registers clients with a secret and issues tokens to everyone, and a server that it
 * protects, as far as metadata is concerned.
 */
export interface TokenServer {
  readonly running: Listening;
  readonly metadata: AuthorizationServer;
  readonly issuer: string;
  readonly resource: string;
  readonly scopesSupported: undefined;
  /** The requests for tokens. */
  readonly asked: Asked[];
}

/** Starts the server; the given members are added to its metadata, to a registration, and to an answer with a token. */
export async function tokenServer(
  metadata: object = {},
  registered: object = {},
  token: object = {},
): Promise<TokenServer> {
  const running = await listening();
  const { origin } = running;
  const asked: Asked[] = [];
  const document = {
    issuer: origin,
    resource: `${origin}/mcp`,
    authorization_servers: [origin],
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    ...metadata,
  };
  running.handle = async (request: IncomingMessage, response) => {
    const text = await bodyOf(request);
    const json = (status: number, value: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (request.url?.startsWith("/.well-known/")) return json(200, document);
    if (request.url === "/register") {
      return json(201, { client_id: "made", client_secret: "made-secret", ...registered });
    }
    if (request.url !== "/token") return json(404, {});
    asked.push({ authorization: request.headers.authorization, body: new URLSearchParams(text) });
    return json(200, { access_token: "t", token_type: "Bearer", ...token });
  };
  return { running, metadata: document, issuer: origin, resource: `${origin}/mcp`, scopesSupported: undefined, asked };
}
