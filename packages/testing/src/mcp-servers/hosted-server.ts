import { randomBytes } from "node:crypto";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, type McpServer } from "@modelcontextprotocol/server";
import { type OidcWorld, oidcWorld } from "../oauth/oidc-world.ts";
import { makeServer } from "./sdk-v2.ts";

const client = { grant_types: ["client_credentials"], redirect_uris: [], response_types: [], scope: "mcp:read" };

/** The options of `login` in CI. */
export const CI: readonly string[] = ["--credentials", "--client-id", "ci", "--client-secret-env", "MCP_SECRET"];

/** A server based on the official SDK, behind a login of oidc-provider. */
export interface HostedServer {
  readonly oidc: OidcWorld;
  /** The secret of the client `ci`. */
  readonly secret: string;
  /** Changes every server that is created from now on. */
  change: (server: McpServer) => void;
}

export async function hostedServer(): Promise<HostedServer> {
  const secret = randomBytes(24).toString("base64url");
  const oidc = await oidcWorld([{ client_id: "ci", client_secret: secret, ...client } as never]);
  const hosted: HostedServer = { oidc, secret, change: () => undefined };
  const make = (): McpServer => {
    const server = makeServer();
    hosted.change(server);
    return server;
  };
  const handle = toNodeHandler(createMcpHandler(make, { legacy: "stateless" }));
  oidc.serve = (request, response) => handle(request as Parameters<typeof handle>[0], response);
  return hosted;
}
