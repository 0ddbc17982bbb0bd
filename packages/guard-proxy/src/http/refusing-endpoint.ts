import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { Guard } from "@agentprint/guard";
import { ClientResponse } from "./client-response.ts";
import { type ClientPost, type Endpoint, refuse } from "./endpoint.ts";

/**
 * The endpoint of a server that must not be reached: its guard has no entry for the server in the lock, and refuses
 * every message.
 */
export class RefusingEndpoint implements Endpoint {
  readonly guard: Guard;

  constructor(guard: Guard) {
    this.guard = guard;
  }

  postModern(post: ClientPost): Promise<void> {
    return this.#post(post, true);
  }

  postLegacy(post: ClientPost): Promise<void> {
    return this.#post(post, false);
  }

  async session(_method: "GET" | "DELETE", _headers: IncomingHttpHeaders, response: ServerResponse): Promise<void> {
    refuse(response, 404);
  }

  async close(): Promise<void> {}

  async #post({ body, response, requests }: ClientPost, isModern: boolean): Promise<void> {
    const answer = new ClientResponse(response, requests, isModern);
    const connection = this.guard.connect();
    for (const outgoing of connection.fromClient(body).toClient) answer.send(outgoing);
    connection.close();
    answer.end();
  }
}
