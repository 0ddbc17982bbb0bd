import { isJsonObject, type JsonObject } from "@agentprint/canonical-json";
import {
  type Era,
  isEchoOf,
  isRpcRequest,
  LISTS,
  META,
  type RequestId,
  type RpcAnswer,
  type RpcMessage,
  type RpcRequest,
  readMessage,
  ShapeFault,
} from "@agentprint/mcp";
import type { Channel } from "../channel/channel.ts";
import { VisitError } from "../errors.ts";
import { rpcFailure } from "../http/http-client.ts";
import { MAX_INPUT_REQUESTS, MAX_OPEN_ANSWERS } from "../limits.ts";
import { asVisitError, ECHOED_ID, earlyRequest, named, unaskedAnswer, unknownRequest } from "./answer-errors.ts";
import { retryParams, tooManyInputs, tooManyRequests } from "./client-answers.ts";
import { withDeadline } from "./deadline.ts";
import type { RequestOptions, SessionOptions } from "./session-options.ts";

interface Pending {
  readonly method: string;
  resolve(result: JsonObject): void;
  reject(error: VisitError): void;
}

/**
 * Requests and answers over a channel. Results are returned as received. An answer without a request, a second answer,
 * or a late answer ends the session, because such a server's other answers cannot be trusted either.
 */
export class Session {
  readonly era: Era;
  readonly #channel: Channel;
  readonly #options: SessionOptions;
  readonly #pending = new Map<RequestId, Pending>();
  readonly #asked = new Map<RequestId, string>();
  readonly #changed = new Set<string>();
  readonly #acknowledged = new Map<RequestId, () => void>();
  #version: string | undefined;
  #nextId = 0;
  readonly #failing: Promise<never>;
  #rejectFailing: ((error: VisitError) => void) | undefined;
  #answering = 0;
  #isGreeted = false;
  #hasEarly = false;
  #failure: VisitError | undefined;
  #firstAnswerAt: number | undefined;

  constructor(channel: Channel, options: SessionOptions) {
    this.era = options.era;
    this.#channel = channel;
    this.#options = options;
    this.#failing = new Promise((_, reject) => {
      this.#rejectFailing = reject;
    });
    // Prevents an unhandled rejection while no request is pending.
    this.#failing.catch(() => undefined);
  }

  /** A method without parameters that servers in this era answer. */
  get ping(): string {
    return this.era === "modern" ? "server/discover" : "ping";
  }

  /** When the first answer arrived, on the clock of `performance.now()`. */
  get firstAnswerAt(): number | undefined {
    return this.#firstAnswerAt;
  }

  /** @throws {@link VisitError} `server-not-started`, `server-timeout`, `server-ended` if the server cannot be used. */
  async open(timeout: number): Promise<void> {
    const opening = this.#channel.open({
      message: (message) => this.#receive(message),
      failure: (error) => this.fail(error),
    });
    await withDeadline(Promise.race([opening, this.#failing]), timeout, "starting up", "connectTimeout");
  }

  /** Sets the protocol version for all later requests. */
  speak(version: string): void {
    this.#version = version;
    if (this.era === "legacy") this.#channel.agreeOn(version);
  }

  /** Settles the era; from now on, a server without a handshake may not send requests. */
  greeted(): void {
    this.#isGreeted = true;
  }

  /**
   * Sends a request and waits for its result. If a server without a handshake requests input, the request is answered.
   *
   * @throws {@link VisitError} `server-error` if the answer is a JSON-RPC error.
   * @throws {@link VisitError} `server-timeout` if there is no answer in time, or the code of the error that ended the
   * session.
   */
  async request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject> {
    let asked = params;
    for (let round = 0; round < MAX_INPUT_REQUESTS; round++) {
      const result = await this.#ask(method, asked, options);
      if (this.era === "legacy" || result["resultType"] !== "input_required") return result;
      asked = await retryParams(params, result, this.#options.answer);
    }
    throw tooManyInputs(method);
  }

  async notify(method: string, params: JsonObject = {}): Promise<void> {
    await this.#channel.send({ method, ...(Object.keys(params).length > 0 && { params }), jsonrpc: "2.0" });
  }

  /**
   * Opens the notification stream: a subscription to every list, or the stream of the handshake versions. Resolves when
   * the server has acknowledged or refused the stream, or has not answered for `timeout` milliseconds.
   */
  async listen(timeout: number): Promise<void> {
    await this.#atMost(timeout, this.era === "modern" ? this.#subscribe() : this.#channel.listen());
  }

  /** Waits for the given time, while messages are received. */
  async wait(milliseconds: number): Promise<void> {
    await this.#atMost(milliseconds);
  }

  /** Returns the lists (`tools`, `prompts`, `resources`) whose changes the server has announced since the last call. */
  takeChanged(): string[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  /** Ends the session: open requests fail, and later messages are ignored. */
  fail(error: VisitError): void {
    this.#failure ??= error;
    this.#rejectFailing?.(this.#failure);
    for (const pending of this.#pending.values()) pending.reject(this.#failure);
    this.#pending.clear();
  }

  /** Throws the error that ended the session, if there is one. */
  throwIfFailed(): void {
    if (this.#failure) throw this.#failure;
  }

  async #atMost(milliseconds: number, ...promises: readonly Promise<void>[]): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const passed = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
    });
    try {
      await Promise.race([this.#failing, passed, ...promises]);
    } finally {
      clearTimeout(timer);
    }
  }

  #ask(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject> {
    const id = this.#nextId++;
    const { timeout, doing = method, setting = "requestTimeout", headers, raw, unless } = options;
    const answered = this.#post(id, method, raw ? params : this.#withMeta(params), headers);
    const inTime = withDeadline(answered, timeout, doing, setting);
    const heard = inTime.catch((error: unknown) => {
      const isLate = error instanceof VisitError && error.code === "server-timeout";
      if (!isLate || unless === undefined) throw error;
      return Promise.race([answered, unless().then(() => Promise.reject(error))]);
    });
    return heard.catch((error: unknown) => {
      if (this.#pending.delete(id)) this.#channel.cancel(id);
      throw error;
    });
  }

  #post(
    id: RequestId,
    method: string,
    params: JsonObject,
    headers?: Readonly<Record<string, string>>,
  ): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      this.#pending.set(id, { method, resolve, reject });
      this.#asked.set(id, method);
      const request = { method, ...(Object.keys(params).length > 0 && { params }), jsonrpc: "2.0", id } as const;
      this.#channel.send(request, headers).catch((error: unknown) => this.#sendFailed(id, error));
    });
  }

  /** Fails only one request if the server refused it, or the entire session if the answer was not an MCP message. */
  #sendFailed(id: RequestId, error: unknown): void {
    const failure = asVisitError(error);
    const pending = this.#pending.get(id);
    this.#firstAnswerAt ??= performance.now();
    if (failure.code === "server-error" || failure.code === "server-unreachable") {
      this.#pending.delete(id);
      pending?.reject(named(failure, pending.method));
    } else this.fail(failure);
  }

  #withMeta(params: JsonObject): JsonObject {
    if (this.era === "legacy" || this.#version === undefined) return params;
    const given = params["_meta"];
    const { clientInfo, capabilities } = this.#options;
    return {
      ...params,
      _meta: {
        ...(isJsonObject(given) && given),
        [META.protocolVersion]: this.#version,
        [META.clientInfo]: clientInfo,
        [META.clientCapabilities]: capabilities,
      },
    };
  }

  async #subscribe(): Promise<void> {
    const id = this.#nextId++;
    const notifications = Object.fromEntries(LISTS.map(({ changed }) => [changed.filter, true]));
    const acknowledged = new Promise<void>((resolve) => this.#acknowledged.set(id, resolve));
    const ended = this.#post(id, "subscriptions/listen", this.#withMeta({ notifications })).then(
      () => undefined,
      () => undefined,
    );
    await Promise.race([acknowledged, ended]);
  }

  #receive(message: RpcMessage): void {
    if (this.#failure) return;
    const shape = readMessage(message as unknown as JsonObject);
    if (shape instanceof ShapeFault) this.#options.onFault?.(shape.reason);
    if (isRpcRequest(message)) this.#answer(message);
    else if ("method" in message) this.#hear(message.method, message.params ?? {});
    else this.#settle(message);
  }

  #settle(answer: RpcAnswer): void {
    this.#firstAnswerAt ??= performance.now();
    const id = answer.id ?? undefined;
    const asked = id === undefined ? id : this.#askedAs(id);
    const pending = asked === undefined ? undefined : this.#pending.get(asked);
    if (asked === undefined || !pending) {
      const method = id === undefined ? undefined : this.#asked.get(id);
      this.fail(unaskedAnswer(id ?? null, method, [...this.#pending.keys()]));
      return;
    }
    this.#pending.delete(asked);
    if ("result" in answer) pending.resolve(answer.result);
    else pending.reject(named(rpcFailure(answer.error), pending.method));
  }

  /** Returns the id of the request that an answer belongs to, because some servers echo an integer id as text. */
  #askedAs(id: RequestId): RequestId {
    const number = Number(id);
    if (this.#pending.has(id) || !isEchoOf(id, number)) return id;
    this.#options.onNote?.(ECHOED_ID);
    return number;
  }

  #hear(method: string, params: JsonObject): void {
    if (method === "notifications/subscriptions/acknowledged") {
      const id = isJsonObject(params["_meta"]) ? params["_meta"][META.subscriptionId] : undefined;
      if (typeof id === "number" || typeof id === "string") this.#acknowledged.get(id)?.();
    } else if (method.endsWith("/list_changed")) this.#changed.add(method.split("/")[1] ?? "");
    this.#options.onNotification?.(method, params);
  }

  #answer({ id, method, params = {} }: RpcRequest): void {
    if (this.#firstAnswerAt === undefined && method !== "ping" && !this.#hasEarly) {
      this.#hasEarly = true;
      this.#options.onNote?.(earlyRequest(method));
    }
    // Until the greeting, a server with only the handshake may be tested for the other era, and may send requests in
    // its own era.
    if (this.era === "modern" && this.#isGreeted) {
      this.fail(unknownRequest(method, this.#version));
      return;
    }
    if (++this.#answering > MAX_OPEN_ANSWERS) {
      this.fail(tooManyRequests());
      return;
    }
    Promise.resolve(this.#options.answer(method, params))
      .then((answer) => this.#channel.send({ ...answer, jsonrpc: "2.0", id }))
      // The visit does not depend on the answer to the server, so it does not matter if the server refuses it.
      .catch(() => undefined)
      .finally(() => this.#answering--);
  }
}
