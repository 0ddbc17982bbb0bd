import { isJsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { Connection, Guard, Outgoing, Step } from "@agentprint/guard";
import type { Exchange, ExchangeRouter } from "./exchange.ts";
import { isRequest, isResponse } from "./rpc.ts";

/**
 * One connection with the guard, and its requests that are open. What comes of one message can belong to others: an answer of the
 * user lets a call go on, and one listing of the guard all calls that waited for it.
 */
export class RemoteSession implements ExchangeRouter {
  readonly connection: Connection;
  /** By the JSON text of the id of the request. */
  readonly #byId = new Map<string, Exchange>();
  readonly #open = new Set<Exchange>();

  constructor(guard: Guard, authorization: string | undefined) {
    this.connection = guard.connect({
      ...(authorization !== undefined && { authorization }),
      onOutput: (step) => void this.write(step),
    });
  }

  /** Takes an exchange with the requests in it, until its answer has ended. */
  add(exchange: Exchange, value: JsonValue | undefined): void {
    const ids = requestIds(value);
    this.#open.add(exchange);
    for (const id of ids) this.#byId.set(id, exchange);
    exchange.answer.onEnd(() => {
      this.#open.delete(exchange);
      for (const id of ids) if (this.#byId.get(id) === exchange) this.#byId.delete(id);
    });
  }

  /** Whether one of these requests has the id of one that is open. */
  isBusy(value: JsonValue | undefined): boolean {
    return requestIds(value).some((id) => this.#byId.has(id));
  }

  async write({ toClient, toServer }: Step, from?: Exchange, eventId?: string): Promise<void> {
    for (const outgoing of toClient) {
      const exchange = this.#exchangeOf(outgoing, isResponse, from);
      exchange?.answer.send(outgoing, exchange === from ? eventId : undefined);
    }
    const sent = toServer.flatMap((outgoing) => {
      const exchange = this.#exchangeOf(outgoing, isRequest, from);
      const done = exchange?.send(outgoing);
      // Nobody who sent one message waits for what comes of another.
      return exchange === from && done !== undefined ? [done] : [];
    });
    await Promise.all(sent);
  }

  /** The exchange that a message belongs to by its id; else the one that it came of, or the newest that is open. */
  #exchangeOf({ value }: Outgoing, hasId: typeof isRequest, from: Exchange | undefined): Exchange | undefined {
    const own = isJsonObject(value) && hasId(value) ? this.#byId.get(JSON.stringify(value["id"])) : undefined;
    if (own !== undefined && !own.answer.isDone) return own;
    return from ?? [...this.#open].at(-1);
  }
}

function requestIds(value: JsonValue | undefined): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((message) =>
    isRequest(message) ? [JSON.stringify(message["id"])] : [],
  );
}
