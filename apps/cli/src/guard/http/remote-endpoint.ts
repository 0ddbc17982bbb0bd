import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { isJsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { Connection, Guard, Outgoing, Step } from "@agentprint/guard";
import { type HttpTarget, mirroredHeaders } from "@agentprint/mcp-visit";
import { judged } from "../in-order.ts";
import type { Recording } from "../record.ts";
import { ClientResponse } from "./client-response.ts";
import { type ClientPost, type Endpoint, refuse } from "./endpoint.ts";
import { readEventStream } from "./event-stream.ts";
import { metadataUrl } from "./oauth-metadata.ts";
import { bytesOf, CODE, errorText, isRequest } from "./rpc.ts";

/** Of one message of the server, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Sessions of one server at the same time; what was used longest ago is forgotten. */
const MAX_SESSIONS = 1000;

/** The headers of a client that go on to the server, beside those that were pinned. */
const PASSED = /^(?:authorization|accept|content-type|last-event-id|user-agent|mcp-.*|traceparent|tracestate|baggage)$/;

/** How an endpoint reaches its server. */
interface RemoteOptions {
  /** The name of the server, by which clients find what it says about its authorization. */
  readonly server: string;
  /** Headers that are added, such as those of the launch where clients have a token of the guard. */
  readonly headers: Readonly<Record<string, string>>;
  readonly recording: Recording;
}

/** Streamable HTTP in front of a server that is reached over it. */
export class RemoteEndpoint implements Endpoint {
  readonly guard: Guard;
  readonly #target: HttpTarget;
  readonly #options: RemoteOptions;
  readonly #sessions = new Map<string, Connection>();

  constructor(target: HttpTarget, guard: Guard, options: RemoteOptions) {
    this.guard = guard;
    this.#target = target;
    this.#options = options;
  }

  async postModern(post: ClientPost): Promise<void> {
    const exchange = this.#exchange(post, true);
    const connection = this.guard.connect({
      ...authorizationOf(post.headers),
      onOutput: (step) => exchange.deliver(step),
    });
    post.response.once("close", () => connection.close());
    await exchange.run(connection, post.body);
  }

  async postLegacy(post: ClientPost): Promise<void> {
    const exchange = this.#exchange(post, false);
    const id = post.headers["mcp-session-id"];
    const known = this.#sessions.get(keyOf(id, post.headers));
    const connection =
      known ?? this.guard.connect({ ...authorizationOf(post.headers), onOutput: (step) => exchange.deliver(step) });
    exchange.onSession = (session) => this.#keep(keyOf(session, post.headers), connection);
    if (known === undefined && id === undefined) this.#keep(keyOf(undefined, post.headers), connection);
    await exchange.run(connection, post.body);
  }

  async session(method: "GET" | "DELETE", headers: IncomingHttpHeaders, response: ServerResponse): Promise<void> {
    const key = keyOf(headers["mcp-session-id"], headers);
    const connection = this.#sessions.get(key);
    if (connection === undefined) {
      refuse(response, headers["mcp-session-id"] === undefined ? 405 : 404);
      return;
    }
    if (method === "DELETE") {
      this.#sessions.delete(key);
      connection.close();
    }
    const requests = Number.POSITIVE_INFINITY;
    const post: ClientPost = { body: new Uint8Array(), value: undefined, headers, response, requests };
    await this.#exchange(post, false).listen(connection, method);
  }

  async close(): Promise<void> {
    for (const connection of this.#sessions.values()) connection.close();
  }

  #exchange(post: ClientPost, isModern: boolean): Exchange {
    return new Exchange(this.#target, post, isModern, this.#options);
  }

  #keep(key: string, connection: Connection): void {
    this.#sessions.delete(key);
    this.#sessions.set(key, connection);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
  }
}

/** One request of a client and all that the server is asked because of it. */
class Exchange {
  onSession: ((id: string) => void) | undefined;
  readonly #target: HttpTarget;
  readonly #post: ClientPost;
  readonly #isModern: boolean;
  readonly #options: RemoteOptions;
  readonly #answer: ClientResponse;
  /** Ends what the server is asked when the client leaves: closing the stream cancels the request. */
  readonly #gone = new AbortController();
  #connection: Connection | undefined;

  constructor(target: HttpTarget, post: ClientPost, isModern: boolean, options: RemoteOptions) {
    this.#target = target;
    this.#post = post;
    this.#isModern = isModern;
    this.#options = options;
    this.#answer = new ClientResponse(post.response, post.requests, isModern);
    post.response.once("close", () => this.#gone.abort());
  }

  async run(connection: Connection, body: Uint8Array): Promise<void> {
    this.#connection = connection;
    await this.#write(await judged(connection, body, this.#options.recording));
    if (this.#post.requests === 0) this.#answer.end();
  }

  async listen(connection: Connection, method: "GET" | "DELETE"): Promise<void> {
    this.#connection = connection;
    const answered = await this.#fetch(method, undefined, {});
    if (!answered.ok || answered.body === null || method === "DELETE") {
      await answered.body?.cancel();
      refuse(this.#post.response, answered.status);
      return;
    }
    this.#answer.begin();
    await this.#readStream(answered);
    this.#answer.end();
  }

  deliver(step: Step): void {
    void this.#write(step);
  }

  async #write(step: Step, eventId?: string): Promise<void> {
    for (const outgoing of step.toClient) this.#answer.send(outgoing, eventId);
    await Promise.all(step.toServer.map((outgoing) => this.#send(outgoing)));
  }

  async #send(outgoing: Outgoing): Promise<void> {
    const { message, value, origin } = outgoing;
    // A message of the guard has headers of its own; the client's were compared with another body.
    const mirrored = origin === "guard" && this.#isModern && isJsonObject(value) ? mirroredHeaders(value as never) : {};
    try {
      const answered = await this.#fetch("POST", bytesOf(message), mirrored);
      await this.#take(answered, value);
    } catch (error) {
      if (!this.#gone.signal.aborted) await this.#fail(value, error instanceof Error ? error.name : "Error");
    }
  }

  async #take(answered: Response, asked: JsonValue): Promise<void> {
    const session = answered.headers.get("mcp-session-id");
    if (session !== null && !this.#isModern) {
      this.onSession?.(session);
      this.#answer.setHeader("mcp-session-id", session);
    }
    const type = answered.headers.get("content-type") ?? "";
    if (answered.ok && /^text\/event-stream\b/i.test(type)) return this.#readStream(answered);
    const bytes = await readAll(answered);
    if (/^application\/json\b/i.test(type) && bytes.length > 0 && (answered.ok || isRpc(bytes))) {
      return this.#write((this.#connection as Connection).fromServer(bytes));
    }
    if (answered.ok) return;
    if (answered.status === 401 || answered.status === 403) this.#passChallenge(answered);
    else await this.#fail(asked, `HTTP status ${answered.status}`);
  }

  /** The server wants another authorization: the client is told where the metadata of the server is, behind the guard. */
  #passChallenge(answered: Response): void {
    const challenge = answered.headers.get("www-authenticate");
    const url = metadataUrl(this.#post.headers.host ?? "", this.#options.server);
    if (challenge !== null) {
      const ours = challenge.replace(/resource_metadata="[^"]*"/g, () => `resource_metadata="${url}"`);
      this.#answer.setHeader("www-authenticate", ours);
    }
    refuse(this.#post.response, answered.status);
  }

  async #readStream(answered: Response): Promise<void> {
    const body = answered.body as unknown as AsyncIterable<Uint8Array>;
    for await (const { data, id } of readEventStream(body, MAX_BYTES)) {
      await this.#write((this.#connection as Connection).fromServer(data), id);
    }
  }

  /** Whoever waits for an answer to a message gets an error. */
  async #fail(asked: JsonValue, reason: string): Promise<void> {
    for (const message of Array.isArray(asked) ? asked : [asked]) {
      if (!isRequest(message)) continue;
      const text = errorText(message["id"], CODE.internal, `The server could not be asked: ${reason}`);
      await this.#write((this.#connection as Connection).fromServer(text));
    }
  }

  #fetch(method: string, body: Uint8Array | undefined, mirrored: Readonly<Record<string, string>>): Promise<Response> {
    const pinned =
      this.#target.launch.type === "http" ? this.#target.launch.headers.map((name) => name.toLowerCase()) : [];
    const given = Object.entries(this.#post.headers).flatMap(([name, value]): [string, string][] =>
      (PASSED.test(name) || pinned.includes(name)) && typeof value === "string" ? [[name, value]] : [],
    );
    return fetch(this.#target.url, {
      method,
      headers: { ...Object.fromEntries(given), ...this.#options.headers, ...mirrored },
      // A redirect would take the client's authorization elsewhere.
      redirect: "error",
      signal: this.#gone.signal,
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
    });
  }
}

function authorizationOf({ authorization }: IncomingHttpHeaders): { readonly authorization?: string } {
  return authorization === undefined ? {} : { authorization };
}

function keyOf(session: string | string[] | undefined, { authorization }: IncomingHttpHeaders): string {
  return JSON.stringify([session, authorization]);
}

async function readAll(answered: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (answered.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new RangeError("the answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isRpc(bytes: Uint8Array): boolean {
  try {
    const value = JSON.parse(Buffer.from(bytes).toString()) as JsonValue;
    return isJsonObject(value) && value["jsonrpc"] === "2.0";
  } catch {
    return false;
  }
}
