import { isJsonObject, type JsonObject, printable } from "@agentprint/canonical-json";
import type { Era } from "@agentprint/mcp-lock";
import { VisitError } from "../errors.ts";
import { rpcFailure } from "../http/http-client.ts";
import { MAX_INPUT_REQUESTS } from "../limits.ts";
import type { Channel } from "./channel.ts";
import { type AnswerServer, retryParams } from "./client-answers.ts";
import { withDeadline } from "./deadline.ts";
import { META } from "./protocol.ts";
import { isRequest, type RpcAnswer, type RpcId, type RpcMessage, type RpcRequest } from "./rpc-message.ts";

export interface SessionOptions {
  readonly era: Era;
  readonly clientInfo: JsonObject;
  readonly capabilities: JsonObject;
  /** How the questions of the server are answered. */
  readonly answer: AnswerServer;
  /** Hears every notification. */
  readonly onNotification?: (method: string, params: JsonObject) => void;
}

export interface RequestOptions {
  /** In milliseconds. */
  readonly timeout: number;
  /** What the server is doing, in the words of an error. */
  readonly doing?: string;
  /** The option that raises the timeout. */
  readonly option?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends the parameters as they are, without what each request of the era carries. */
  readonly raw?: boolean;
}

interface Pending {
  readonly method: string;
  resolve(result: JsonObject): void;
  reject(error: VisitError): void;
}

/**
 * Requests and answers over a channel. Every result stays as it came. An answer that nobody asked for, a second answer,
 * or one that comes after it was given up ends the session: what such a server said cannot be relied on.
 */
export class Session {
  readonly era: Era;
  readonly #channel: Channel;
  readonly #options: SessionOptions;
  readonly #pending = new Map<RpcId, Pending>();
  readonly #asked = new Map<RpcId, string>();
  readonly #changed = new Set<string>();
  readonly #acknowledged = new Map<RpcId, () => void>();
  #version: string | undefined;
  #nextId = 0;
  readonly #failing: Promise<never>;
  #rejectFailing: ((error: VisitError) => void) | undefined;
  #failure: VisitError | undefined;
  #firstAnswerAt: number | undefined;

  constructor(channel: Channel, options: SessionOptions) {
    this.era = options.era;
    this.#channel = channel;
    this.#options = options;
    this.#failing = new Promise((_, reject) => {
      this.#rejectFailing = reject;
    });
    // It is waited for only now and then.
    this.#failing.catch(() => undefined);
  }

  /** When the first answer came, on the clock of `performance.now()`. */
  get firstAnswerAt(): number | undefined {
    return this.#firstAnswerAt;
  }

  /** @throws {VisitError} */
  async open(timeout: number): Promise<void> {
    const opening = this.#channel.open({
      message: (message) => this.#receive(message),
      failure: (error) => this.fail(error),
    });
    await withDeadline(Promise.race([opening, this.#failing]), timeout, "starting up", "--connect-timeout");
  }

  /** Speaks a version from now on. */
  speak(version: string): void {
    this.#version = version;
    if (this.era === "legacy") this.#channel.agreeOn(version);
  }

  /**
   * Sends a request and waits for its result. What a server without a handshake asks for in between is answered.
   *
   * @throws {VisitError}
   */
  async request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject> {
    let asked = params;
    for (let round = 0; round < MAX_INPUT_REQUESTS; round++) {
      const result = await this.#ask(method, asked, options);
      if (this.era === "legacy" || result["resultType"] !== "input_required") return result;
      asked = await retryParams(params, result, this.#options.answer);
    }
    throw new VisitError("server-error", `the server answered ${method} with a request for input, time after time`, {
      expected: `a result after ${MAX_INPUT_REQUESTS} requests for input at most`,
    });
  }

  async notify(method: string, params: JsonObject = {}): Promise<void> {
    await this.#channel.send({ method, ...(Object.keys(params).length > 0 && { params }), jsonrpc: "2.0" });
  }

  /**
   * Opens the stream of notices: a subscription to every list, or the stream of the handshake versions. Returns when
   * the server has acknowledged or refused it, or says nothing for `timeout` milliseconds.
   */
  async listen(timeout: number): Promise<void> {
    const opened = this.era === "modern" ? this.#subscribe() : this.#channel.listen();
    await this.#atMost(timeout, opened);
  }

  /** Waits, while messages are received. */
  async wait(milliseconds: number): Promise<void> {
    await this.#atMost(milliseconds);
  }

  /** The lists (`tools`, `prompts`, `resources`) that the server has said changed, since the last call. */
  takeChanged(): string[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  /** Ends the session: what is waited for fails, and nothing is received any more. */
  fail(error: VisitError): void {
    this.#failure ??= error;
    this.#rejectFailing?.(this.#failure);
    for (const pending of this.#pending.values()) pending.reject(this.#failure);
    this.#pending.clear();
  }

  /** @throws the error that ended the session, if one did */
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
    const { timeout, doing = method, option = "--request-timeout", headers } = options;
    const answered = this.#post(id, method, options.raw ? params : this.#withMeta(params), headers);
    return withDeadline(answered, timeout, doing, option).catch((error: unknown) => {
      if (this.#pending.delete(id)) this.#channel.cancel(id);
      throw error;
    });
  }

  #post(
    id: RpcId,
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

  /** A refused request is that request's failure alone; garbage in its answer is the session's. */
  #sendFailed(id: RpcId, error: unknown): void {
    const failure =
      error instanceof VisitError ? error : new VisitError("server-unreachable", String(error), { cause: error });
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
    const notifications = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    const acknowledged = new Promise<void>((resolve) => this.#acknowledged.set(id, resolve));
    const ended = this.#post(id, "subscriptions/listen", this.#withMeta({ notifications })).then(
      () => undefined,
      () => undefined,
    );
    await Promise.race([acknowledged, ended]);
  }

  #receive(message: RpcMessage): void {
    if (this.#failure) return;
    if (isRequest(message)) this.#answer(message);
    else if ("method" in message) this.#hear(message.method, message.params ?? {});
    else this.#settle(message);
  }

  #settle(answer: RpcAnswer): void {
    this.#firstAnswerAt ??= performance.now();
    const id = answer.id ?? undefined;
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (id === undefined || !pending) {
      this.fail(this.#unasked(id));
      return;
    }
    this.#pending.delete(id);
    if ("result" in answer) pending.resolve(answer.result);
    else pending.reject(named(rpcFailure(answer.error), pending.method));
  }

  #unasked(id: RpcId | undefined): VisitError {
    const text = printable(JSON.stringify(id ?? null), 300);
    const method = id === undefined ? undefined : this.#asked.get(id);
    if (method === undefined) {
      return new VisitError("server-garbage", `the server answered a request that is not open: id ${text}`, {
        expected: this.#pending.size > 0 ? `an answer to id ${[...this.#pending.keys()].join(" or ")}` : "no answer",
      });
    }
    return new VisitError("server-unstable", `the server answered ${method} again, or after its time: id ${text}`, {
      expected: "one answer to each request, in time",
    });
  }

  #hear(method: string, params: JsonObject): void {
    if (method === "notifications/subscriptions/acknowledged") {
      const id = isJsonObject(params["_meta"]) ? params["_meta"][META.subscriptionId] : undefined;
      if (typeof id === "number" || typeof id === "string") this.#acknowledged.get(id)?.();
    } else if (method.endsWith("/list_changed")) this.#changed.add(method.split("/")[1] ?? "");
    this.#options.onNotification?.(method, params);
  }

  #answer({ id, method, params = {} }: RpcRequest): void {
    if (this.era === "modern") {
      this.fail(
        new VisitError("server-garbage", `the server sent a request: ${printable(method, 100)}`, {
          expected: `answers and notifications only: version ${this.#version} has no requests of a server`,
        }),
      );
      return;
    }
    Promise.resolve(this.#options.answer(method, params))
      .then((answer) => this.#channel.send({ ...answer, jsonrpc: "2.0", id }))
      // A server that refuses the answer has its reasons; the visit does not depend on it.
      .catch(() => undefined);
  }
}

/** An error of an answer, with the method that it answers. */
function named(error: VisitError, method: string): VisitError {
  if (error.code !== "server-error") return error;
  return new VisitError("server-error", `the server answered ${method} with ${error.message}`, error.details);
}
