import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { AnswerRoom, boundConnections } from "@agentprint/http-bounds";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { type AuthInfo, createMcpHandler, isLegacyRequest, type McpServerFactory } from "@modelcontextprotocol/server";
import type { Principal } from "../access/principal.ts";
import { ANSWER_BYTES, type AnswerHold, NO_ROOM, withHold } from "../answer-hold.ts";
import { messageLimit } from "../config.ts";
import { McpServerError } from "../errors.ts";
import { createServerFactory } from "../factory.ts";
import type { Services } from "../services.ts";
import { createGuard } from "./guard.ts";
import { LegacySessions } from "./legacy-sessions.ts";
import { answerEarly, BodyReader, type BodyRefusal } from "./read-body.ts";

const PATH = "/mcp";
const HEALTH_PATH = "/healthz";
/**
 * The most bytes that all answers may take together. Creating and sending an answer takes about three times its size in
 * memory.
 */
const ROOM = 64 * 1024 * 1024;
/** The time that requests may take to arrive, and to finish after a signal to end the process. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** The interval of that check; Node's default is 30 seconds. */
const CHECK_INTERVAL_MS = 1000;
const ENDING_TIMEOUT_MS = 10_000;
const CLOSE_IDLE_MS = 20;

/** A server that answers requests. */
export interface HttpServer {
  /** The address for clients. */
  readonly url: string;
  /** Aborts running calls, answers them, and closes every connection. */
  readonly close: () => Promise<void>;
}

/**
 * Serves many clients over streamable HTTP, each in its own era.
 *
 * @throws {@link McpServerError} `INVALID_CONFIGURATION` when the address cannot be used.
 */
export async function startHttp(
  services: Services,
  factory: McpServerFactory = createServerFactory(services),
): Promise<HttpServer> {
  const { config, log, calls } = services;
  const onerror = (error: Error): void => log.warn({ reason: error.message }, "transport");
  const bodyBytes = messageLimit(config);
  const modern = createMcpHandler(factory, { legacy: "reject", maxRequestBodySize: bodyBytes, onerror });
  const sessions = new LegacySessions(factory, { sessions: config.session_limit, bodyBytes });
  const fetch = answering(async (request, authInfo) => {
    const isLegacy = await isLegacyRequest(request, undefined, { maxRequestBodySize: bodyBytes });
    return isLegacy ? sessions.fetch(request, authInfo) : modern.fetch(request, { authInfo });
  });
  const handle = toNodeHandler({ fetch }, { maxRequestBodySize: bodyBytes, onerror });
  const guard = createGuard(services);
  const bodies = new BodyReader(bodyBytes);
  const room = new AnswerRoom(ROOM);

  const server = createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
    async (request, response) => {
      const path = request.url?.split("?", 1)[0];
      if (path === HEALTH_PATH) return answer(response, 200, { status: "ok" });
      if (path !== PATH) return answer(response, 404, errorOf(`there is nothing at this path; MCP is at ${PATH}`));
      const guarded = await guard(request).catch((error: unknown) => {
        log.error({ err: error }, "the error could not be sent to the caller");
        return undefined;
      });
      if (guarded === undefined) return answer(response, 503, errorOf("the trail cannot be read"));
      if ("refusal" in guarded) {
        const { status, message, headers } = guarded.refusal;
        log.info({ status, reason: message }, "refused");
        return answerEarly(request, response, () => write(response, status, errorOf(message), headers));
      }
      const hold = room.take(ANSWER_BYTES);
      if (hold === undefined) {
        log.info({ status: 503, reason: "answers" }, "refused");
        const retry = { "retry-after": "1" };
        return answerEarly(request, response, () => write(response, 503, errorOf(NO_ROOM), retry));
      }
      response.once("close", hold.free);
      const auth = authInfoOf(guarded.principal, { hold, isRefused: false, isOver: false });
      await bodies.read(
        request,
        (read) => handle(Object.assign(read, { auth }) as Parameters<typeof handle>[0], response),
        (refusal) => {
          log.info({ status: refusal.status, reason: "body" }, "refused");
          answerEarly(request, response, () => refuseBody(response, refusal));
        },
      );
    },
  );
  boundConnections(server, { urgentPath: HEALTH_PATH });
  await listen(server, config.host, config.port);
  return {
    url: urlOf(server),
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Otherwise a connection whose last answer ends in the meantime would be kept open for the next request.
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

/** Answers requests within a shared memory budget: a request that finds no memory left is answered with 503. */
function answering(
  handle: (request: Request, authInfo: AuthInfo) => Promise<Response>,
): (request: Request, options?: { readonly authInfo?: AuthInfo }) => Promise<Response> {
  return async (request, { authInfo } = {}) => {
    if (authInfo === undefined) throw new Error("the server's guard has let a request pass");
    const answer = authInfo.extra?.["answer"] as AnswerHold;
    const response = await withHold(answer, () => handle(request, authInfo));
    return answer.isRefused
      ? Response.json(errorOf(NO_ROOM), { status: 503, headers: { "retry-after": "1" } })
      : response;
  };
}

function refuseBody(response: ServerResponse, refusal: BodyRefusal): void {
  if (refusal.status === 413) write(response, 413, errorOf(`expected a body of at most ${refusal.limit} bytes`));
  else write(response, 503, errorOf("other requests' bodies take all the memory: try again"), { "retry-after": "1" });
}

function authInfoOf(principal: Principal, answer: AnswerHold): AuthInfo {
  return { token: "", clientId: principal.id, scopes: [], extra: { principal, answer } };
}

function errorOf(message: string): object {
  return { jsonrpc: "2.0", id: null, error: { code: -32_000, message } };
}

/** Writes a complete answer, but does not end the response. */
function write(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "x-content-type-options": "nosniff",
    ...headers,
  });
  response.write(text);
}

function answer(...[response, ...what]: Parameters<typeof write>): void {
  write(response, ...what);
  response.end();
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
