import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { Connection, Guard, Outgoing, Step } from "@agentprint/guard";
import { isRequest, isResponse, RPC_ERROR, type WithId } from "@agentprint/mcp";
import type { HttpTarget } from "@agentprint/mcp-visit";
import { recorded } from "../in-order.ts";
import type { Recording } from "../recording.ts";
import { errorText, keyOfRequest, requestsIn, singly } from "../rpc.ts";
import type { AskServer } from "./ask-server.ts";
import { identityIn, passedHeaders } from "./client-headers.ts";
import { endWhereDone } from "./client-response.ts";
import type { ClientPost } from "./endpoint.ts";
import { readJson } from "./read-json.ts";
import { Exchange, type ExchangeOwner, endAll, pinnedHeaders } from "./remote-exchange.ts";
import { SentAnswers } from "./sent-answers.ts";

/** The options for reaching a server on behalf of a client. */
export interface RemoteOptions extends Pick<ExchangeOwner, "ask" | "server" | "headers" | "passesAuthorization"> {
  readonly recording: Recording;
}

/** The client of a session. */
export interface SessionClient {
  /** The key of the server for which the client's verifications hold; absent if they hold only for the session. */
  readonly peer: string | undefined;
  readonly isModern: boolean;
  /** Called when the server names the session. */
  readonly onNamed?: ((session: string) => void) | undefined;
}

/** One client of a server: a session of an old era, or one request of the new era. */
export class RemoteSession implements ExchangeOwner {
  readonly target: HttpTarget;
  readonly ask: AskServer;
  readonly server: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly passesAuthorization: boolean;
  readonly isModern: boolean;
  readonly #onNamed: SessionClient["onNamed"];
  readonly #recording: Recording;
  readonly #guard: Guard;
  readonly #connection: Connection;
  readonly asking: Set<AbortController> = new Set();
  hasEnded = false;
  /** The name that the server gives the session. */
  #name: string | undefined;
  readonly #answers = new SentAnswers();
  readonly #listening = new Set<Exchange>();
  /** The exchanges that wait for an answer, by the JSON text of the id. */
  readonly #waiting = new Map<string, Exchange>();

  constructor(
    target: HttpTarget,
    guard: Guard,
    { peer, isModern, onNamed }: SessionClient,
    { ask, server, headers, passesAuthorization, recording }: RemoteOptions,
  ) {
    this.target = target;
    this.ask = ask;
    this.server = server;
    this.headers = headers;
    this.passesAuthorization = passesAuthorization;
    this.isModern = isModern;
    this.#onNamed = onNamed;
    this.#recording = recording;
    this.#guard = guard;
    this.#connection = guard.connect({
      ...(peer !== undefined && { peer }),
      session: () => this.#name,
      isStdio: false,
      onOutput: (step) => void this.#deliver(step),
    });
  }

  shown(said: string): JsonValue | undefined {
    return this.#guard.shown(said);
  }

  named(session: string): void {
    this.#name = session;
    this.#onNamed?.(session);
  }

  /** Answers a POST of the client. */
  async post(post: ClientPost): Promise<void> {
    const { body, value, response } = post;
    // A request with an id that is already waiting gets no second response.
    const ids = requestsIn(value)
      .map(keyOfRequest)
      .filter((id) => !this.#waiting.has(id));
    const exchange = new Exchange(this, { ...post, requests: ids.length });
    if (this.#name === undefined && !this.isModern) exchange.answer.waitForHeaders();
    for (const id of ids) this.#waiting.set(id, exchange);
    response.on("close", () => {
      for (const id of ids) if (this.#waiting.get(id) === exchange) this.#waiting.delete(id);
    });
    const identity = identityIn(passedHeaders(post.headers, pinnedHeaders(this.target)));
    const step = this.#connection.fromClient(body, identity);
    await this.#deliver(step, exchange, undefined, false);
    endWhereDone(exchange.answer, step, { value, requests: ids.length });
  }

  /** Lets the client listen to the session, or ends the session at the server. */
  async listen(post: ClientPost, method: "GET" | "DELETE"): Promise<void> {
    const exchange = new Exchange(this, post);
    this.#listening.add(exchange);
    try {
      await exchange.listen(method);
    } finally {
      this.#listening.delete(exchange);
    }
  }

  async take(message: Uint8Array | string, exchange: Exchange, eventId?: string): Promise<readonly JsonValue[]> {
    const again = eventId === undefined ? undefined : this.#answers.get(eventId);
    if (again) {
      exchange.answer.send(again, eventId);
      return [again.value].flat();
    }
    const step = this.#connection.fromServer(message);
    for (const answer of eventId === undefined ? [] : step.toClient.flatMap(singly)) {
      if (isJsonObject(answer.value) && isResponse(answer.value)) this.#answers.keep(eventId as string, answer);
    }
    await this.#deliver(step, exchange, eventId);
    return step.toClient.flatMap(({ value }) => value);
  }

  close(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    for (const outgoing of this.#connection.close().toClient)
      this.#exchangeOf(outgoing, isResponse)?.answer.send(outgoing);
    for (const [id, { answer }] of this.#waiting) {
      const text = errorText(readJson(id), RPC_ERROR.internal, "The session has ended");
      answer.send({ message: text, value: readJson(text) as JsonObject });
    }
    for (const { answer } of this.#listening) answer.end();
    endAll(this.asking);
  }

  /**
   * @param exchange The exchange whose message caused the step
   * @param isShared Whether other clients' requests may use the exchange's headers, as after an answer to the guard's
   * own request
   */
  async #deliver(step: Step, exchange?: Exchange, eventId?: string, isShared = true): Promise<void> {
    const { toServer, toClient } = await recorded(step, this.#connection, this.#recording);
    for (const outgoing of toClient.flatMap(singly)) {
      const to = this.#exchangeOf(outgoing, isResponse, exchange);
      to?.answer.send(outgoing, to === exchange ? eventId : undefined);
    }
    // A message that waited in another exchange is sent with that exchange's headers, and ends with it.
    const sent = toServer.map((outgoing) => {
      const isRequested = isRequest(outgoing.value as JsonValue);
      const to = this.#exchangeOf(outgoing, isRequest, isRequested && !isShared ? undefined : exchange);
      if (to === undefined && isRequested) void this.#deliver(this.#unsent(outgoing));
      const done = to?.send(outgoing);
      return to === exchange ? done : undefined;
    });
    await Promise.all(sent);
  }

  /**
   * Returns the step for a request that is not sent because its client no longer waits: the guard receives an error as
   * the server's answer.
   */
  #unsent({ value }: Outgoing): Step {
    const id = isJsonObject(value) ? value["id"] : undefined;
    return this.#connection.fromServer(errorText(id, RPC_ERROR.internal, "Nobody waits for it"));
  }

  #exchangeOf(
    { value, because }: Outgoing,
    hasId: (message: JsonValue | undefined) => message is WithId,
    exchange?: Exchange,
  ): Exchange | undefined {
    const key =
      because === undefined ? (hasId(value) ? keyOfRequest(value) : undefined) : keyOfRequest({ id: because });
    const waiting = key === undefined ? undefined : this.#waiting.get(key);
    // A request is never sent with another client's headers.
    const isAnybodys = hasId !== isRequest || key === undefined;
    return waiting ?? exchange ?? (isAnybodys ? [...this.#waiting.values()].at(-1) : undefined);
  }
}
