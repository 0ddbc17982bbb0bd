import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { isJsonObject } from "@agentprint/canonical-json/json-value";
import type { Guard } from "@agentprint/guard";
import type { HttpTarget } from "@agentprint/mcp-visit";
import { type ClientPost, type Endpoint, refuse } from "./endpoint.ts";
import { type RemoteOptions, RemoteSession } from "./remote-session.ts";

/** The maximum number of sessions of one server at a time; above it, the least recently used session is forgotten. */
const MAX_SESSIONS = 1000;

/** Streamable HTTP in front of a server that is itself reached over streamable HTTP. */
export class RemoteEndpoint implements Endpoint {
  readonly guard: Guard;
  readonly #target: HttpTarget;
  readonly #options: RemoteOptions;
  readonly #sessions = new Map<string, RemoteSession>();

  constructor(target: HttpTarget, guard: Guard, options: RemoteOptions) {
    this.guard = guard;
    this.#target = target;
    this.#options = options;
  }

  async postModern(post: ClientPost): Promise<void> {
    await this.#postAlone(post, true);
  }

  async postLegacy(post: ClientPost): Promise<void> {
    const { headers, value } = post;
    const id = headers["mcp-session-id"];
    const known = id === undefined ? undefined : this.#sessions.get(keyOf(id, headers));
    if (known) {
      this.#keep(keyOf(id, headers), known);
      return known.post(post);
    }
    // A server without session names has no sessions: each POST is treated as a separate client.
    if (!isJsonObject(value) || value["method"] !== "initialize") return this.#postAlone(post, false);
    let isNamed = false;
    const session = this.#session(false, (name) => {
      isNamed = true;
      this.#keep(keyOf(name, headers), session);
    });
    await session.post(post);
    if (!isNamed) session.close();
  }

  async session(method: "GET" | "DELETE", headers: IncomingHttpHeaders, response: ServerResponse): Promise<void> {
    const key = keyOf(headers["mcp-session-id"], headers);
    const session = this.#sessions.get(key);
    if (session === undefined) {
      refuse(response, headers["mcp-session-id"] === undefined ? 405 : 404);
      return;
    }
    const requests = Number.POSITIVE_INFINITY;
    if (method === "DELETE") this.#sessions.delete(key);
    try {
      await session.listen({ body: new Uint8Array(), value: undefined, headers, response, requests }, method);
    } finally {
      if (method === "DELETE") session.close();
    }
  }

  async close(): Promise<void> {
    for (const session of this.#sessions.values()) session.close();
  }

  async #postAlone(post: ClientPost, isModern: boolean): Promise<void> {
    const session = this.#session(isModern);
    post.response.on("close", () => session.close());
    await session.post(post);
  }

  /**
   * Creates a session. Verifications are valid only for a named session, or, without one, for all clients at the
   * address.
   */
  #session(isModern: boolean, onNamed?: (session: string) => void): RemoteSession {
    const peer = onNamed === undefined ? this.#target.url : undefined;
    return new RemoteSession(this.#target, this.guard, { peer, isModern, onNamed }, this.#options);
  }

  #keep(key: string, session: RemoteSession): void {
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    const [oldest] = this.#sessions;
    if (this.#sessions.size <= MAX_SESSIONS || oldest === undefined) return;
    this.#sessions.delete(oldest[0]);
    oldest[1].close();
  }
}

function keyOf(session: string | string[] | undefined, { authorization }: IncomingHttpHeaders): string {
  return JSON.stringify([session, authorization]);
}
