import type { Readable } from "node:stream";
import { isJsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { Outgoing } from "@agentprint/guard";
import { type HttpTarget, mirroredHeaders } from "@agentprint/mcp-visit";
import { type AskServer, isSuccess, type ServerAnswer } from "./ask-server.ts";
import { ClientResponse } from "./client-response.ts";
import { type ClientPost, refuse } from "./endpoint.ts";
import { readEventStream } from "./event-stream.ts";
import { metadataUrl } from "./oauth-metadata.ts";
import { readBytes } from "./read-bytes.ts";
import { bytesOf, CODE, errorText, isRequest, isResponse } from "./rpc.ts";

/** Of one message of the server, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The headers of a client that go on to the server, beside those that were pinned. */
const PASSED: ReadonlySet<string> = new Set([
  "authorization",
  "accept",
  "content-type",
  "last-event-id",
  "user-agent",
  "traceparent",
  "tracestate",
  "baggage",
]);
/** How the names of the others that go on begin. */
const PASSED_PREFIX = "mcp-";

/** What an exchange is a part of: a session, or one request of the new era. */
export interface ExchangeOwner {
  readonly target: HttpTarget;
  readonly ask: AskServer;
  /** The name of the server, by which clients find what it says about its authorization. */
  readonly server: string;
  /** Headers that are added, such as those of the launch where clients have a token of the guard. */
  readonly headers: Readonly<Record<string, string>>;
  readonly isModern: boolean;
  /** What the guard itself asks until the owner ends: it may be for others than the client of one exchange. */
  readonly asking: Set<AbortController>;
  readonly hasEnded: boolean;
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
  /** What the server is asked until the client leaves: closing the stream cancels the request. */
  readonly #asking = new Set<AbortController>();

  constructor(owner: ExchangeOwner, post: ClientPost) {
    this.#owner = owner;
    this.#post = post;
    this.answer = new ClientResponse(post.response, post.requests, owner.isModern);
    post.response.on("close", () => endAll(this.#asking));
  }

  /** Passes a `GET` or `DELETE` on. */
  async listen(method: "GET" | "DELETE"): Promise<void> {
    const { status, body } = await this.#ask(method, undefined, undefined, this.#asking);
    if (!isSuccess(status) || method === "DELETE") {
      body.destroy();
      refuse(this.#post.response, status);
      return;
    }
    this.answer.begin();
    await this.#readStream(body);
    this.answer.end();
  }

  /** Sends a message to the server, and hands over what it answers. */
  async send(outgoing: Outgoing): Promise<void> {
    const { message, value, origin } = outgoing;
    const isOwn = origin === "guard" && isJsonObject(value);
    // A message of the guard has headers of its own; the client's were compared with another body.
    const mirrored = isOwn && this.#owner.isModern ? mirroredHeaders(value as never) : undefined;
    const hasEnded = (): boolean => (isOwn ? this.#owner.hasEnded : this.#post.response.closed);
    if (hasEnded()) return;
    let answered: ServerAnswer | undefined;
    try {
      answered = await this.#ask("POST", bytesOf(message), mirrored, isOwn ? this.#owner.asking : this.#asking);
      await this.#take(answered, outgoing);
    } catch (error) {
      answered?.body.destroy();
      if (!hasEnded()) await this.#fail(value, error instanceof Error ? error.name : "Error");
    }
  }

  async #take(answered: ServerAnswer, outgoing: Outgoing): Promise<void> {
    const { value: asked, origin } = outgoing;
    const { status, headers, body } = answered;
    const isFine = isSuccess(status);
    const session = headers["mcp-session-id"];
    if (typeof session === "string" && !this.#owner.isModern) {
      this.#owner.named(session);
      this.answer.setHeader("mcp-session-id", session);
    }
    const type = headers["content-type"] ?? "";
    if (isFine && /^text\/event-stream\b/i.test(type)) {
      if (await this.#readStream(body, outgoing)) return;
      // The client can ask for what is missing of its own request, where the server has said from where.
      if (origin === "forwarded" && !this.#owner.isModern) this.answer.end();
      else await this.#fail(asked, "the stream ended");
      return;
    }
    const bytes = await readBytes(body, MAX_BYTES);
    const isJson = /^application\/json\b/i.test(type) && bytes.length > 0;
    if (!isFine) this.#passStatus(answered);
    if (isJson && (isFine || isAnswerTo(asked, bytes))) {
      await this.#owner.take(bytes, this);
      return;
    }
    if (!isFine) await this.#fail(asked, `HTTP status ${status}`);
  }

  /**
   * The client gets the status of the server. Where the server wants another authorization, the client is told where the metadata of
   * the server is, behind the guard.
   */
  #passStatus({ status, headers }: ServerAnswer): void {
    this.answer.setStatus(status);
    const challenge = headers["www-authenticate"];
    if (challenge === undefined) return;
    const url = metadataUrl(this.#post.headers.host ?? "", this.#owner.server);
    const ours = challenge.replace(/resource_metadata="[^"]*"/g, () => `resource_metadata="${url}"`);
    this.answer.setHeader("www-authenticate", ours);
  }

  /** Whether the answer to what was asked was in the stream. */
  async #readStream(body: Readable, asked?: Outgoing): Promise<boolean> {
    const requests = messagesOf(asked?.value).filter(isRequest);
    const open = new Set(requests.map(({ id }) => id));
    for await (const { data, id, retry } of readEventStream(body, MAX_BYTES)) {
      if (data.length === 0) {
        // Nobody goes on from where an answer to the guard itself begins.
        if (id !== undefined && asked?.origin !== "guard") this.answer.prime(id, retry);
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

  #ask(
    method: "DELETE" | "GET" | "POST",
    body: Uint8Array | undefined,
    mirrored: Readonly<Record<string, string>> | undefined,
    open: Set<AbortController>,
  ): Promise<ServerAnswer> {
    const { target, headers: added, ask } = this.#owner;
    const pinned = target.launch.type === "http" ? target.launch.headers : [];
    const headers: Record<string, string> = {};
    for (const name in this.#post.headers) {
      const value = this.#post.headers[name];
      if (typeof value !== "string") continue;
      const isPassed = PASSED.has(name) || name.startsWith(PASSED_PREFIX);
      if (isPassed || pinned.some((each) => each.toLowerCase() === name)) headers[name] = value;
    }
    return ask({ method, headers: { ...headers, ...added, ...mirrored }, body }, open);
  }
}

/** Ends requests to a server. */
export function endAll(asking: ReadonlySet<AbortController>): void {
  for (const asked of asking) asked.abort();
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
