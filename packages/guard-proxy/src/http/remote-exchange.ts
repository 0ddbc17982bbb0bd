import type { Readable } from "node:stream";
import type { JsonValue } from "@agentprint/canonical-json/json-value";
import type { Outgoing } from "@agentprint/guard";
import { isRequest, isResponse, MAX_MESSAGE_BYTES, RPC_ERROR } from "@agentprint/mcp";
import { EventStreamReader, type StreamEvent } from "@agentprint/mcp/event-stream";
import { mirroredHeaders } from "@agentprint/mcp/headers";
import type { HttpTarget } from "@agentprint/mcp-visit";
import { bytesOf, errorText, isCancelOfGuard } from "../rpc.ts";
import { type AskServer, isSuccess, type ServerAnswer, UnreadAnswer } from "./ask-server.ts";
import { shownChallenge } from "./challenge.ts";
import { passedHeaders, withoutMirrored } from "./client-headers.ts";
import { ClientResponse } from "./client-response.ts";
import { type ClientPost, refuse } from "./endpoint.ts";
import { fitsAnswer, NoRoomError } from "./exchange-room.ts";
import { metadataUrl } from "./oauth-metadata.ts";
import { readBytes } from "./read-bytes.ts";
import { readJson } from "./read-json.ts";

/** The owner of an exchange: a session, or one request of the new era. */
export interface ExchangeOwner {
  readonly target: HttpTarget;
  readonly ask: AskServer;
  /** The name of the server, under which clients find its authorization metadata. */
  readonly server: string;
  /** Headers that are added, such as the launch's, if clients have a token for the guard. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether clients are asked for the authorization that the server requires. */
  readonly passesAuthorization: boolean;
  readonly isModern: boolean;
  /**
   * The guard's own requests, which last until the owner ends: they may serve clients of several exchanges.
   */
  readonly asking: Set<AbortController>;
  readonly hasEnded: boolean;
  /** Takes a message from the server in an exchange, and returns the messages for clients that result. */
  take(message: Uint8Array | string, exchange: Exchange, eventId?: string): Promise<readonly JsonValue[]>;
  /** Returns the form in which the client sees text from the server that is not part of a message. */
  shown(said: string): JsonValue | undefined;
  /** Takes the name that the server gave the session. */
  named(session: string): void;
}

/** One request of a client, and the requests to the server that carry its headers. */
export class Exchange {
  readonly answer: ClientResponse;
  readonly #owner: ExchangeOwner;
  readonly #post: ClientPost;
  /** The requests to the server that last until the client leaves: closing the stream cancels them. */
  readonly #asking = new Set<AbortController>();

  constructor(owner: ExchangeOwner, post: ClientPost) {
    this.#owner = owner;
    this.#post = post;
    this.answer = new ClientResponse(post.response, post.requests, owner.isModern);
    post.response.on("close", () => endAll(this.#asking));
  }

  /** Forwards a `GET` or `DELETE`. */
  async listen(method: "GET" | "DELETE"): Promise<void> {
    const { status, body } = await this.#ask(method, undefined, undefined, this.#asking);
    if (!isSuccess(status) || method === "DELETE") {
      body.destroy();
      refuse(this.#post.response, status);
      return;
    }
    this.answer.begin();
    try {
      await this.#readStream(body);
    } finally {
      // The client notices any kind of end, and can resume from the last event.
      this.answer.end();
    }
  }

  /** Sends a message to the server and delivers the answer. */
  async send(outgoing: Outgoing): Promise<void> {
    const { message, value, origin, because } = outgoing;
    // A client's request that the guard has changed still belongs to the client.
    const isOwn = origin === "guard" && (because !== undefined || !isRequest(value));
    // The guard's own requests get their own headers in place of the client's that repeat the body.
    const mirrored =
      because === undefined ? undefined : this.#owner.isModern ? mirroredHeaders(value as never) : NO_HEADERS;
    const hasEnded = (): boolean => (isOwn ? this.#owner.hasEnded : this.#post.response.closed);
    if (hasEnded()) return;
    let answered: ServerAnswer | undefined;
    try {
      // Cancelling a task is not bound to a client that could disconnect.
      const open = isCancelOfGuard(outgoing) ? new Set<AbortController>() : isOwn ? this.#owner.asking : this.#asking;
      answered = await this.#ask("POST", bytesOf(message), mirrored, open);
      await this.#take(answered, outgoing);
    } catch (error) {
      answered?.body.destroy();
      if (error instanceof NoRoomError) {
        this.answer.setStatus(503);
        this.answer.setHeader("retry-after", "1");
      }
      if (!hasEnded()) await this.#fail(value, shownReason(error));
    }
  }

  async #take(answered: ServerAnswer, outgoing: Outgoing): Promise<void> {
    const { value: asked, origin } = outgoing;
    const { status, headers, body } = answered;
    const isFine = isSuccess(status);
    const session = headers["mcp-session-id"];
    if (typeof session === "string" && !this.#owner.isModern) {
      if (!SESSION.test(session)) throw new UnreadableSession();
      this.#owner.named(session);
      this.answer.setHeader("mcp-session-id", session);
    }
    const type = headers["content-type"] ?? "";
    if (isFine && /^text\/event-stream\b/i.test(type)) {
      const { isAnswered, isResumable } = await this.#readStream(body, outgoing);
      if (isAnswered) return;
      // The client can resume its own request if the server has sent an event id.
      if (origin === "forwarded" && !this.#owner.isModern && isResumable) this.answer.end();
      else if (origin === "guard" || !this.#post.response.closed) await this.#fail(asked, "the stream ended");
      return;
    }
    const bytes = await readBytes(body, MAX_MESSAGE_BYTES, (length) => fitsAnswer(this.#post.response, length));
    const isJson = /^application\/json\b/i.test(type) && bytes.length > 0;
    if (!isFine) this.#passStatus(answered);
    if (isJson && (isFine || isAnswerTo(asked, bytes))) {
      const delivered = await this.#owner.take(bytes, this);
      const said = origin === "guard" ? messagesOf(readJson(bytes)) : delivered;
      // An answer without a readable id is still the only answer.
      if (isFine && unanswered(asked, said).size > 0) await this.#fail(asked, "the answer cannot be read");
      return;
    }
    if (!isFine) await this.#fail(asked, `HTTP status ${status}`);
  }

  /**
   * Passes the server's status on to the client, except for a challenge that the client cannot meet. If the server
   * requires a different authorization, its challenge names the address of the metadata behind the guard.
   */
  #passStatus({ status, headers }: ServerAnswer): void {
    // A client that cannot log in through the guard must not try to.
    const isHidden = status === 401 && !this.#owner.passesAuthorization;
    this.answer.setStatus(isHidden ? 502 : status);
    const challenge = headers["www-authenticate"];
    if (challenge === undefined || isHidden) return;
    const url = metadataUrl(this.#post.headers.host ?? "", this.#owner.server);
    this.answer.setHeader(
      "www-authenticate",
      shownChallenge(challenge, url, (said) => this.#owner.shown(said)),
    );
  }

  /**
   * Reads a stream, which may end early; returns whether it contained the answer, and whether an event id lets a client
   * resume.
   */
  async #readStream(body: Readable, asked?: Outgoing): Promise<{ isAnswered: boolean; isResumable: boolean }> {
    const open = unanswered(asked?.value, []);
    let isResumable = false;
    for await (const { data, id, retry } of messagesIn(body)) {
      isResumable ||= id !== undefined;
      if (data.length === 0) {
        // No client resumes an answer to the guard's own request from its start.
        if (id !== undefined && asked?.origin !== "guard") this.answer.prime(id, retry);
        continue;
      }
      const delivered = await this.#owner.take(data, this, id);
      // The answer to the guard's own request reaches no client.
      const values = asked?.origin === "guard" ? [...delivered, ...messagesOf(readJson(data))] : delivered;
      for (const value of values) if (isResponse(value)) open.delete(value.id);
    }
    return { isAnswered: open.size === 0, isResumable };
  }

  /** Answers each request in a message with an error. */
  async #fail(asked: JsonValue, reason: string): Promise<void> {
    for (const message of messagesOf(asked)) {
      if (!isRequest(message)) continue;
      const text = errorText(message.id, RPC_ERROR.internal, `The server could not be reached: ${reason}`);
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
    const passed = passedHeaders(this.#post.headers, pinnedHeaders(target));
    const headers = mirrored === undefined ? passed : { ...withoutMirrored(passed), ...mirrored };
    return ask({ method, headers: { ...headers, ...added }, body }, open);
  }
}

/** The characters of a session name. */
const SESSION = /^[\x21-\x7e]+$/;

/** The error for a session name with forbidden characters. */
class UnreadableSession extends Error {
  override readonly name = "UnreadableSession";
}

const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});

/** Returns the names of the pinned headers. */
export function pinnedHeaders({ launch }: HttpTarget): readonly string[] {
  return launch.type === "http" ? launch.headers : [];
}

/** Aborts requests to a server. */
export function endAll(asking: ReadonlySet<AbortController>): void {
  for (const asked of asking) asked.abort();
}

/**
 * Yields a stream's events with data until it ends or the connection breaks; the events before the break count. An
 * empty id is treated as absent, because no client resumes from it.
 */
async function* messagesIn(body: Readable): AsyncGenerator<StreamEvent & { readonly data: Uint8Array }> {
  const reader = new EventStreamReader({ isStrict: true });
  for await (const piece of untilBroken(body)) {
    for (const { id, data, ...event } of reader.push(piece)) {
      if (data !== undefined) yield { ...event, data, ...(id !== undefined && id !== "" && { id }) };
    }
  }
}

/** Yields the pieces of a body until it ends or the connection breaks; the pieces before the break count. */
async function* untilBroken(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch {
    body.destroy();
  }
}

/** Returns whether bytes are the answer to a request rather than an error that names none. */
function isAnswerTo(asked: JsonValue, bytes: Uint8Array): boolean {
  const answer = readJson(bytes);
  return isRequest(asked) && isResponse(answer) && answer.id === asked.id;
}

/** Returns the ids of the requests that these messages do not answer. */
function unanswered(asked: JsonValue | undefined, said: readonly (JsonValue | undefined)[]): Set<string | number> {
  const open = new Set(
    messagesOf(asked)
      .filter(isRequest)
      .map(({ id }) => id),
  );
  for (const message of said) if (isResponse(message)) open.delete(message.id);
  return open;
}

function messagesOf(value: JsonValue | undefined): readonly (JsonValue | undefined)[] {
  return Array.isArray(value) ? value : [value];
}

/**
 * Returns the part of an error that a client may read, because messages can contain text from the server or an address.
 */
function shownReason(error: unknown): string {
  if (error instanceof UnreadAnswer) return error.message;
  return error instanceof Error ? error.name : "Error";
}
