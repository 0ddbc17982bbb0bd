import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { isJsonObject } from "@agentprint/canonical-json/json-value";
import type { Guard } from "@agentprint/guard";
import type { HttpTarget } from "@agentprint/mcp-visit";
import { type ClientPost, type Endpoint, refuse } from "./endpoint.ts";
import { Exchange, type RemoteOptions } from "./exchange.ts";
import { RemoteSession } from "./remote-session.ts";

/** Sessions of one server at the same time; what was used longest ago is forgotten. */
const MAX_SESSIONS = 1000;

/** Streamable HTTP in front of a server that is reached over it. */
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
    const session = new RemoteSession(this.guard, post.headers.authorization);
    post.response.once("close", () => session.connection.close());
    await this.#exchange(session, post, true).run();
  }

  async postLegacy(post: ClientPost): Promise<void> {
    const { headers, value } = post;
    const id = headers["mcp-session-id"];
    const isFirst = id === undefined && isJsonObject(value) && value["method"] === "initialize";
    const known = isFirst ? undefined : this.#sessions.get(keyOf(id, headers));
    // Clients of a server without sessions may use one id at the same time.
    const session =
      known === undefined || (id === undefined && known.isBusy(value))
        ? new RemoteSession(this.guard, headers.authorization)
        : known;
    const exchange = this.#exchange(session, post, false);
    exchange.onSession = (given) => {
      const none = keyOf(undefined, headers);
      if (this.#sessions.get(none) === session) this.#sessions.delete(none);
      this.#keep(keyOf(given, headers), session);
    };
    if (isFirst) this.#keep(keyOf(undefined, headers), session);
    await exchange.run();
  }

  async session(method: "GET" | "DELETE", headers: IncomingHttpHeaders, response: ServerResponse): Promise<void> {
    const key = keyOf(headers["mcp-session-id"], headers);
    const session = this.#sessions.get(key);
    if (session === undefined) {
      refuse(response, headers["mcp-session-id"] === undefined ? 405 : 404);
      return;
    }
    if (method === "DELETE") {
      this.#sessions.delete(key);
      session.connection.close();
    }
    const requests = Number.POSITIVE_INFINITY;
    const post: ClientPost = { body: new Uint8Array(), value: undefined, headers, response, requests };
    await this.#exchange(session, post, false).listen(method);
  }

  async close(): Promise<void> {
    for (const { connection } of this.#sessions.values()) connection.close();
  }

  #exchange(session: RemoteSession, post: ClientPost, isModern: boolean): Exchange {
    const exchange = new Exchange(session, this.#target, post, isModern, this.#options);
    session.add(exchange, post.value);
    return exchange;
  }

  #keep(key: string, session: RemoteSession): void {
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    const [oldest] = this.#sessions;
    if (oldest === undefined || this.#sessions.size <= MAX_SESSIONS) return;
    this.#sessions.delete(oldest[0]);
    oldest[1].connection.close();
  }
}

function keyOf(session: string | string[] | undefined, { authorization }: IncomingHttpHeaders): string {
  return JSON.stringify([session, authorization]);
}
