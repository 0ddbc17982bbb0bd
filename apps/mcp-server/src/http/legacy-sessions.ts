import { randomUUID } from "node:crypto";
import {
  type AuthInfo,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly clientId: string;
}

const HEADER = "mcp-session-id";

/** The limits on the sessions of a token and on the size of a message. */
export interface SessionLimits {
  /** Sessions per token. */
  readonly sessions: number;
  readonly bodyBytes: number;
}

/**
 * The sessions of clients that use the era with a handshake. A session belongs to the token that opened it. If a token
 * opens too many, its least recently used session ends.
 */
export class LegacySessions {
  readonly #factory: McpServerFactory;
  readonly #limits: SessionLimits;
  /** The sessions by id, least recently used first. */
  readonly #sessions = new Map<string, Session>();

  constructor(factory: McpServerFactory, limits: SessionLimits) {
    this.#factory = factory;
    this.#limits = limits;
  }

  /** Answers a request in the session that it names; a request that names no session must open one. */
  async fetch(request: Request, authInfo: AuthInfo): Promise<Response> {
    const id = request.headers.get(HEADER);
    if (id === null) return this.#open(request, authInfo);
    const session = this.#sessions.get(id);
    if (session?.clientId !== authInfo.clientId) return notFound();
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session.transport.handleRequest(request, { authInfo });
  }

  /** Ends every session and its streams. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
  }

  async #open(request: Request, authInfo: AuthInfo): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: this.#limits.bodyBytes,
      onsessioninitialized: (id) => this.#add(id, { transport, clientId: authInfo.clientId }),
    });
    const server = await this.#factory({ era: "legacy", authInfo, requestInfo: request });
    await server.connect(transport);
    const { onclose } = transport;
    transport.onclose = () => {
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
      onclose?.();
    };
    const response = await transport.handleRequest(request, { authInfo });
    if (transport.sessionId === undefined) await transport.close();
    return response;
  }

  async #add(id: string, session: Session): Promise<void> {
    const own = [...this.#sessions.values()].filter(({ clientId }) => clientId === session.clientId);
    if (own.length >= this.#limits.sessions) await own[0]?.transport.close();
    this.#sessions.set(id, session);
  }
}

function notFound(): Response {
  const error = { code: -32_001, message: "Session not found" };
  return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 404 });
}
