import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { type AuthInfo, createMcpHandler, isLegacyRequest, type McpServerFactory } from "@modelcontextprotocol/server";
import { LOCAL, type Principal } from "../access/principal.ts";
import { McpServerError } from "../errors.ts";
import { createServerFactory } from "../factory.ts";
import type { Services } from "../services.ts";
import { createGuard } from "./guard.ts";
import { LegacySessions } from "./legacy-sessions.ts";

const PATH = "/mcp";
const HEALTH_PATH = "/healthz";
/** How long requests may take to arrive, and to end when the process is told to end. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** How often that is looked at; by default Node does so every 30 seconds. */
const CHECK_INTERVAL_MS = 1000;
const ENDING_TIMEOUT_MS = 10_000;
const CLOSE_IDLE_MS = 20;

/** A server that answers requests. */
export interface HttpServer {
  /** The address for clients. */
  readonly url: string;
  /** Ends running calls, answers them, and closes every connection. */
  readonly close: () => Promise<void>;
}

/**
 * Serves many clients over streamable HTTP, each in its era.
 *
 * @throws {@link McpServerError} `INVALID_CONFIGURATION` when the address cannot be used.
 */
export async function startHttp(
  services: Services,
  factory: McpServerFactory = createServerFactory(services),
): Promise<HttpServer> {
  const { config, log, calls } = services;
  const onerror = (error: Error): void => log.warn({ reason: error.message }, "transport");
  const bodyBytes = config.body_limit;
  const modern = createMcpHandler(factory, { legacy: "reject", maxRequestBodySize: bodyBytes, onerror });
  const sessions = new LegacySessions(factory, { sessions: config.session_limit, bodyBytes });
  const fetch = async (request: Request, { authInfo }: { authInfo?: AuthInfo } = {}): Promise<Response> => {
    const auth = authInfo ?? authInfoOf(LOCAL);
    const isLegacy = await isLegacyRequest(request, undefined, { maxRequestBodySize: bodyBytes });
    return isLegacy ? sessions.fetch(request, auth) : modern.fetch(request, { authInfo: auth });
  };
  const handle = toNodeHandler({ fetch }, { maxRequestBodySize: bodyBytes, onerror });
  const guard = createGuard(services);

  const server = createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
    async (request, response) => {
      const path = request.url?.split("?", 1)[0];
      if (path === HEALTH_PATH) return answer(response, 200, { status: "ok" });
      if (path !== PATH) return answer(response, 404, errorOf(`nothing is at this path; MCP is at ${PATH}`));
      const guarded = await guard(request).catch((error: unknown) => {
        log.error({ err: error }, "the caller could not be told");
        return undefined;
      });
      if (guarded === undefined) return answer(response, 503, errorOf("the trail cannot be read"));
      if ("refusal" in guarded) {
        const { status, message, headers } = guarded.refusal;
        log.info({ status, reason: message }, "refused");
        return answer(response, status, errorOf(message), headers);
      }
      const authorized = Object.assign(request, { auth: authInfoOf(guarded.principal) });
      await handle(authorized as Parameters<typeof handle>[0], response);
    },
  );
  await listen(server, config.host, config.port);
  return {
    url: urlOf(server),
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection whose last answer ends meanwhile would be kept for the next request.
      const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
      const late = setTimeout(() => server.closeAllConnections(), ENDING_TIMEOUT_MS);
      await calls.end();
      await modern.close();
      await sessions.close();
      await closed;
      clearInterval(idle);
      clearTimeout(late);
    },
  };
}

function authInfoOf(principal: Principal): AuthInfo {
  return { token: "", clientId: principal.id, scopes: [], extra: { principal } };
}

function errorOf(message: string): object {
  return { jsonrpc: "2.0", id: null, error: { code: -32_000, message } };
}

function answer(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", "x-content-type-options": "nosniff", ...headers });
  response.end(JSON.stringify(body));
}

function urlOf(server: Server): string {
  const { port, address, family } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}${PATH}`;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      const { code } = cause as NodeJS.ErrnoException;
      reject(new McpServerError("INVALID_CONFIGURATION", `cannot listen on ${host}:${port}: ${code}`, { cause }));
    });
    server.listen(port, host, resolve);
  });
}
