import { isJsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { Outgoing } from "@agentprint/guard";
import { type HttpTarget, mirroredHeaders } from "@agentprint/mcp-visit";
import { ClientResponse } from "./client-response.ts";
import { type ClientPost, refuse } from "./endpoint.ts";
import { readEventStream } from "./event-stream.ts";
import { metadataUrl } from "./oauth-metadata.ts";
import { readBytes } from "./read-bytes.ts";
import { bytesOf, CODE, errorText, isRequest, isResponse } from "./rpc.ts";

/** Of one message of the server, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The headers of a client that go on to the server, beside those that were pinned. */
const PASSED = /^(?:authorization|accept|content-type|last-event-id|user-agent|mcp-.*|traceparent|tracestate|baggage)$/;

/** What an exchange is a part of: a session, or one request of the new era. */
export interface ExchangeOwner {
  readonly target: HttpTarget;
  /** The name of the server, by which clients find what it says about its authorization. */
  readonly server: string;
  /** Headers that are added, such as those of the launch where clients have a token of the guard. */
  readonly headers: Readonly<Record<string, string>>;
  readonly isModern: boolean;
  /** Aborted when the owner ends: what the guard itself asks may be for others than the client of one exchange. */
  readonly ended: AbortSignal;
  /** The server has said something in an exchange; returns what clients are told because of that. */
  take(message: Uint8Array | string, exchange: Exchange, eventId?: string): Promise<readonly JsonValue[]>;
  /** The server has given the session its name. */
  named(session: string): void;
}

/** One request of a client, and what the server is asked with its headers. */
export class Exchange {
  readonly answer: ClientResponse;
  readonly #owner: ExchangeOwner;
  readonly #post: ClientPost;
  /** Ends what the server is asked when the client leaves: closing the stream cancels the request. */
  readonly #gone = new AbortController();

  constructor(owner: ExchangeOwner, post: ClientPost) {
    this.#owner = owner;
    this.#post = post;
    this.answer = new ClientResponse(post.response, post.requests, owner.isModern);
    post.response.once("close", () => this.#gone.abort());
  }

  /** Passes a `GET` or `DELETE` on. */
  async listen(method: "GET" | "DELETE"): Promise<void> {
    const answered = await this.#fetch(method, undefined, {}, this.#gone.signal);
    if (!answered.ok || answered.body === null || method === "DELETE") {
      await answered.body?.cancel();
      refuse(this.#post.response, answered.status);
      return;
    }
    this.answer.begin();
    await this.#readStream(answered);
    this.answer.end();
  }

  /** Sends a message to the server, and hands over what it answers. */
  async send(outgoing: Outgoing): Promise<void> {
    const { message, value, origin } = outgoing;
    const isOwn = origin === "guard" && isJsonObject(value);
    // A message of the guard has headers of its own; the client's were compared with another body.
    const mirrored = isOwn && this.#owner.isModern ? mirroredHeaders(value as never) : {};
    const signal = isOwn ? this.#owner.ended : this.#gone.signal;
    try {
      const answered = await this.#fetch("POST", bytesOf(message), mirrored, signal);
      await this.#take(answered, outgoing);
    } catch (error) {
      if (!signal.aborted) await this.#fail(value, error instanceof Error ? error.name : "Error");
    }
  }

  async #take(answered: Response, outgoing: Outgoing): Promise<void> {
    const { value: asked, origin } = outgoing;
    const session = answered.headers.get("mcp-session-id");
    if (session !== null && !this.#owner.isModern) {
      this.#owner.named(session);
      this.answer.setHeader("mcp-session-id", session);
    }
    const type = answered.headers.get("content-type") ?? "";
    if (answered.ok && /^text\/event-stream\b/i.test(type)) {
      if (await this.#readStream(answered, outgoing)) return;
      // The client can ask for what is missing of its own request, where the server has said from where.
      if (origin === "forwarded" && !this.#owner.isModern) this.answer.end();
      else await this.#fail(asked, "the stream ended");
      return;
    }
    const bytes = await readBytes(answered, MAX_BYTES);
    const isJson = /^application\/json\b/i.test(type) && bytes.length > 0;
    if (!answered.ok) this.#passStatus(answered);
    if (isJson && (answered.ok || isAnswerTo(asked, bytes))) {
      await this.#owner.take(bytes, this);
      return;
    }
    if (!answered.ok) await this.#fail(asked, `HTTP status ${answered.status}`);
  }

  /**
   * The client gets the status of the server. Where the server wants another authorization, the client is told where the metadata of
   * the server is, behind the guard.
   */
  #passStatus({ status, headers }: Response): void {
    this.answer.setStatus(status);
    const challenge = headers.get("www-authenticate");
    if (challenge === null) return;
    const url = metadataUrl(this.#post.headers.host ?? "", this.#owner.server);
    const ours = challenge.replace(/resource_metadata="[^"]*"/g, () => `resource_metadata="${url}"`);
    this.answer.setHeader("www-authenticate", ours);
  }

  /** Whether the answer to what was asked was in the stream. */
  async #readStream(answered: Response, asked?: Outgoing): Promise<boolean> {
    const requests = messagesOf(asked?.value).filter(isRequest);
    const open = new Set(requests.map(({ id }) => id));
    for await (const { data, id, retry } of readEventStream(answered.body as never, MAX_BYTES)) {
      if (data.length === 0) {
        if (id !== undefined) this.answer.prime(id, retry);
        continue;
      }
      const told = await this.#owner.take(data, this, id);
      // What the guard asked, no client is answered.
      const values = asked?.origin === "guard" ? [...told, ...messagesOf(parse(data))] : told;
      for (const value of values) if (isResponse(value)) open.delete(value["id"]);
    }
    return open.size === 0;
  }

  /** Whoever waits for an answer to a message gets an error. */
  async #fail(asked: JsonValue, reason: string): Promise<void> {
    for (const message of messagesOf(asked)) {
      if (!isRequest(message)) continue;
      const text = errorText(message["id"], CODE.internal, `The server could not be asked: ${reason}`);
      await this.#owner.take(text, this);
    }
  }

  #fetch(
    method: string,
    body: Uint8Array | undefined,
    mirrored: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Response> {
    const { target, headers } = this.#owner;
    const pinned = target.launch.type === "http" ? target.launch.headers.map((name) => name.toLowerCase()) : [];
    const given = Object.entries(this.#post.headers).flatMap(([name, value]): [string, string][] =>
      (PASSED.test(name) || pinned.includes(name)) && typeof value === "string" ? [[name, value]] : [],
    );
    return fetch(target.url, {
      method,
      headers: { ...Object.fromEntries(given), ...headers, ...mirrored },
      // A redirect would take the client's authorization elsewhere.
      redirect: "error",
      signal,
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
    });
  }
}

/** Whether bytes are the answer to a request, and no error that belongs to none. */
function isAnswerTo(asked: JsonValue, bytes: Uint8Array): boolean {
  const answer = parse(bytes);
  return isRequest(asked) && isResponse(answer) && answer["id"] === asked["id"];
}

function parse(bytes: Uint8Array): JsonValue | undefined {
  try {
    return JSON.parse(Buffer.from(bytes).toString()) as JsonValue;
  } catch {
    return undefined;
  }
}

function messagesOf(value: JsonValue | undefined): readonly (JsonValue | undefined)[] {
  return Array.isArray(value) ? value : [value];
}
