import { isJsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { Connection, Guard, Outgoing, Step } from "@agentprint/guard";
import type { HttpTarget } from "@agentprint/mcp-visit";
import { recorded } from "../in-order.ts";
import type { Recording } from "../record.ts";
import type { AskServer } from "./ask-server.ts";
import type { ClientPost } from "./endpoint.ts";
import { Exchange, type ExchangeOwner, endAll } from "./remote-exchange.ts";
import { isRequest, isResponse } from "./rpc.ts";
import { SentAnswers } from "./sent-answers.ts";

/** How a server is reached for a client. */
export interface RemoteOptions extends Pick<ExchangeOwner, "ask" | "server" | "headers"> {
  readonly recording: Recording;
}

/** One client of a server: a session of an old era, or one request of the new era. */
export class RemoteSession implements ExchangeOwner {
  readonly target: HttpTarget;
  readonly ask: AskServer;
  readonly server: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly isModern: boolean;
  /** Called when the server names the session. */
  readonly #onNamed: (session: string) => void;
  readonly #recording: Recording;
  readonly #connection: Connection;
  readonly asking: Set<AbortController> = new Set();
  hasEnded = false;
  /** How the server calls the session. */
  #name: string | undefined;
  readonly #answers = new SentAnswers();
  /** The exchanges that wait for an answer, by the JSON text of the id. */
  readonly #waiting = new Map<string, Exchange>();

  constructor(
    target: HttpTarget,
    guard: Guard,
    { authorization, isModern }: { readonly authorization: string | undefined; readonly isModern: boolean },
    { ask, server, headers, recording }: RemoteOptions,
    onNamed: (session: string) => void = () => undefined,
  ) {
    this.target = target;
    this.ask = ask;
    this.server = server;
    this.headers = headers;
    this.isModern = isModern;
    this.#onNamed = onNamed;
    this.#recording = recording;
    this.#connection = guard.connect({
      ...(authorization !== undefined && { authorization }),
      session: () => this.#name,
      onOutput: (step) => void this.#deliver(step),
    });
  }

  named(session: string): void {
    this.#name = session;
    this.#onNamed(session);
  }

  /** Answers a POST of the client. */
  async post(post: ClientPost): Promise<void> {
    const { body, value, response, requests } = post;
    const exchange = new Exchange(this, post);
    const ids = (Array.isArray(value) ? value : [value]).filter(isRequest).map((request) => keyOf(request["id"]));
    for (const id of ids) if (!this.#waiting.has(id)) this.#waiting.set(id, exchange);
    response.on("close", () => {
      for (const id of ids) if (this.#waiting.get(id) === exchange) this.#waiting.delete(id);
    });
    await this.#deliver(this.#connection.fromClient(body), exchange);
    if (requests === 0) exchange.answer.end();
  }

  /** Lets the client listen to the session, or ends the session at the server. */
  listen(post: ClientPost, method: "GET" | "DELETE"): Promise<void> {
    return new Exchange(this, post).listen(method);
  }

  async take(message: Uint8Array | string, exchange: Exchange, eventId?: string): Promise<readonly JsonValue[]> {
    const again = eventId === undefined ? undefined : this.#answers.get(eventId);
    if (again) {
      exchange.answer.send(again, eventId);
      return [again.value].flat();
    }
    const step = this.#connection.fromServer(message);
    for (const answer of eventId === undefined ? [] : step.toClient) {
      if (isJsonObject(answer.value) && isResponse(answer.value)) this.#answers.keep(eventId as string, answer);
    }
    await this.#deliver(step, exchange, eventId);
    return step.toClient.flatMap(({ value }) => value);
  }

  close(): void {
    this.hasEnded = true;
    this.#connection.close();
    endAll(this.asking);
  }

  /** @param exchange The one in which the message came that the step is because of */
  async #deliver(step: Step, exchange?: Exchange, eventId?: string): Promise<void> {
    const { toServer, toClient } = await recorded(step, this.#connection, this.#recording);
    for (const outgoing of toClient) {
      const to = this.#exchangeOf(outgoing, isResponse, exchange);
      to?.answer.send(outgoing, to === exchange ? eventId : undefined);
    }
    // What waited in another exchange is asked with the headers of that one, and ends with it.
    const sent = toServer.map((outgoing) => {
      const to = this.#exchangeOf(outgoing, isRequest, exchange);
      const done = to?.send(outgoing);
      return to === exchange ? done : undefined;
    });
    await Promise.all(sent);
  }

  #exchangeOf(
    { value }: Outgoing,
    hasId: (message: JsonValue | undefined) => boolean,
    exchange: Exchange | undefined,
  ): Exchange | undefined {
    const waiting = isJsonObject(value) && hasId(value) ? this.#waiting.get(keyOf(value["id"])) : undefined;
    return waiting ?? exchange ?? [...this.#waiting.values()].at(-1);
  }
}

function keyOf(id: JsonValue | undefined): string {
  return JSON.stringify(id);
}
