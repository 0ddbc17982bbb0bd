import { type RequestId, RPC_ERROR } from "@agentprint/mcp";
import { GuardError } from "../errors.ts";
import type { Connection } from "../guard.ts";
import { errorAnswer } from "../refusal.ts";
import type { Outgoing, Step } from "../step.ts";
import { jsonTextOf } from "./json-text.ts";

/** A transport as a client uses it. */
interface Transport {
  start(): Promise<void>;
  send(message: unknown, options?: SendOptions): Promise<void>;
  close(...options: unknown[]): Promise<void>;
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
}

/** The message options that matter here: signals with which a client ends a request that has its own stream. */
interface SendOptions {
  readonly requestSignal?: AbortSignal | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A message as received, with its options and extra data. */
interface Arrived {
  readonly message: { readonly id?: RequestId; readonly method?: string };
  readonly text: string;
  readonly options?: SendOptions | undefined;
  readonly extra?: unknown;
}

/** A client request that waits in the guard, or that the client may end with a signal. */
interface Waiting {
  readonly options: SendOptions | undefined;
  readonly isHeld: boolean;
  readonly stopListening: () => void;
}

/** A transport with a guard inside. The guard judges the JSON text that the other side reads. */
export class GuardedTransport implements Transport {
  onmessage: Transport["onmessage"];
  onclose: Transport["onclose"];
  onerror: Transport["onerror"];
  readonly #inner: Transport;
  readonly #connect: (onOutput: (step: Step) => void) => Connection;
  readonly #waiting = new Map<RequestId, Waiting>();
  #connection: Connection | undefined;

  constructor(inner: Transport, connect: (onOutput: (step: Step) => void) => Connection) {
    this.#inner = inner;
    this.#connect = connect;
    ({ onmessage: this.onmessage, onclose: this.onclose, onerror: this.onerror } = inner);
    inner.onmessage = (message, extra) => this.#fromServer(message as Arrived["message"], extra);
    inner.onclose = () => this.#closed();
    inner.onerror = (error) => this.onerror?.(error);
  }

  async start(): Promise<void> {
    this.#connection = this.#connect((step) => this.#writeAlone(step));
    await this.#inner.start();
  }

  async send(message: Arrived["message"], options?: SendOptions): Promise<void> {
    if (this.#connection === undefined) {
      throw new GuardError("not-connected", "expected a transport that is started and not closed");
    }
    const text = jsonTextOf(message);
    const step = this.#connection.fromClient(text);
    if (message.id !== undefined && message.method !== undefined) {
      this.#wait(message.id, step.action === "hold", options);
    }
    await this.#write(step, { message, text, options });
  }

  close(...options: unknown[]): Promise<void> {
    return this.#inner.close(...options);
  }

  #fromServer(message: Arrived["message"], extra: unknown): void {
    const text = textOfAnswer(message);
    this.#writeAlone(this.#connection?.fromServer(text), { message, text, extra });
  }

  #closed(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#writeAlone(connection?.close());
    for (const id of [...this.#waiting.keys()]) this.#forget(id);
    this.onclose?.();
  }

  /** Writes a step that no caller awaits; passes errors to `onerror`. */
  #writeAlone(step: Step | undefined, arrived?: Arrived): void {
    if (step) this.#write(step, arrived).catch((error) => this.onerror?.(error));
  }

  async #write({ toServer, toClient }: Step, arrived?: Arrived): Promise<void> {
    const sending = toServer.map((outgoing) => this.#toServer(outgoing, arrived));
    for (const outgoing of toClient) {
      const message = messageOf(outgoing, arrived);
      const { id, method } = outgoing.value as Arrived["message"];
      if (id !== undefined && method === undefined) this.#forget(id);
      this.onmessage?.(message, message === arrived?.message ? arrived?.extra : undefined);
    }
    await Promise.all(sending);
  }

  async #toServer(outgoing: Outgoing, arrived: Arrived | undefined): Promise<void> {
    const { id, method } = outgoing.value as Arrived["message"];
    const own = arrived !== undefined && arrived.message.id === id ? arrived : undefined;
    const { isHeld = false, options } = (id !== undefined && this.#waiting.get(id)) || {};
    try {
      await this.#inner.send(messageOf(outgoing, arrived), own ? own.options : options);
    } catch (error) {
      if (id !== undefined && method !== undefined) this.#abandon(id);
      if (own) throw error;
      this.onerror?.(error as Error);
      // The sender of a held request is waiting for an answer.
      if (isHeld) this.onmessage?.(errorAnswer(id as RequestId, RPC_ERROR.internal, "The request could not be sent"));
    }
  }

  /**
   * Keeps the options of a held request, and ends a request in the guard when the client ends it together with its
   * stream.
   */
  #wait(id: RequestId, isHeld: boolean, options: SendOptions | undefined): void {
    const signal = options?.requestSignal ?? options?.signal;
    if (!isHeld && signal === undefined) return;
    const abandon = () => this.#abandon(id);
    signal?.addEventListener("abort", abandon);
    this.#waiting.set(id, { options, isHeld, stopListening: () => signal?.removeEventListener("abort", abandon) });
  }

  #forget(id: RequestId): void {
    this.#waiting.get(id)?.stopListening();
    this.#waiting.delete(id);
  }

  #abandon(id: RequestId): void {
    this.#forget(id);
    this.#writeAlone(this.#connection?.abandon(id));
  }
}

/** Returns the original message if it is forwarded; otherwise, the value that the guard created. */
function messageOf({ message, value }: Outgoing, arrived: Arrived | undefined): unknown {
  return arrived !== undefined && message === arrived.text ? arrived.message : value;
}

/** Returns the JSON text of an answer; if it has none, returns an answer without a result, which the guard refuses. */
function textOfAnswer(message: Arrived["message"]): string {
  try {
    return jsonTextOf(message);
  } catch {
    return jsonTextOf({ jsonrpc: "2.0", id: message.id });
  }
}
