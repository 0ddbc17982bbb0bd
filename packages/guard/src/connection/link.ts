import type { JsonObject } from "@agentprint/canonical-json/json-value";
import { answer, errorAnswer, REFUSED, refusedResult } from "../calls/refusal.ts";
import { authorizationKey, type GuardCore } from "../core.ts";
import type { GuardEventKind, GuardOutcome } from "../events.ts";
import type { ConnectionOptions } from "../options.ts";
import type { RequestMessage, RpcMessage } from "../read/message-shape.ts";
import type { Reading } from "../read/read-message.ts";
import { idKey, type RequestId } from "../read/request-id.ts";
import type { Step } from "../step.ts";
import type { Asker } from "../verify/shared-listings.ts";
import { Output, type Side } from "./output.ts";
import type { Held, Pending } from "./pending.ts";

/** A request of the client that waits in the guard. */
export interface Waiting {
  readonly message: RequestMessage;
  readonly reading: Reading;
  readonly pending: Pending;
}

/** One client and one server that speak through the guard. */
export class Link implements Asker {
  readonly core: GuardCore;
  /** The digest of what the client presents to the server. */
  readonly authorization: string;
  /** Requests that the server has not answered yet, by the keys of their ids. */
  readonly toServer: Map<string, Pending> = new Map();
  /** Those of them that the client wants no more: most servers never answer them. */
  readonly cancelled: Set<Pending> = new Set();
  /** Requests that the client has not answered yet. */
  readonly toClient: Map<string, Pending> = new Map();
  /** Requests of the client that wait in the guard. */
  readonly held: Map<string, Held> = new Map();
  /** What the client listens to, by the ids of its requests. */
  readonly subscriptions: Map<RequestId, JsonObject> = new Map();
  /** What the client can, by its handshake. */
  clientCapabilities: JsonObject = {};
  /** What the server can, as the client was told in the handshake. */
  serverCapabilities: JsonObject = {};
  protocolVersion: string | undefined;
  /** The session of the transport. */
  readonly session: ConnectionOptions["session"];
  readonly #onOutput: ConnectionOptions["onOutput"];
  /** Whether the transport writes text; else it is given values. */
  isText = true;
  isClosed = false;

  constructor(core: GuardCore, { authorization, onOutput, session }: ConnectionOptions) {
    this.core = core;
    this.authorization = authorizationKey(authorization);
    this.#onOutput = onOutput;
    this.session = session;
  }

  /** Whose tasks the server works on: a session's, or those of all modern requests with one authorization. */
  get owner(): string {
    return JSON.stringify([this.authorization, this.session?.()]);
  }

  /** Refuses what waits in the guard, and ends the connection. */
  close(): Step {
    const out = new Output(this.isText);
    for (const held of [...this.held.values()]) held.refuse("the connection ends", out);
    this.isClosed = true;
    this.core.shared.leave(this);
    return out.step();
  }

  /** Forgets a request of the client or of the guard that gets no answer; what waits for that answer is refused. */
  abandon(id: RequestId): Step {
    const out = new Output(this.isText);
    const key = idKey(id);
    const held = this.held.get(key);
    if (held?.id === id) {
      this.held.delete(key);
      held.stop();
    }
    const pending = this.toServer.get(key);
    if (pending?.id === id) {
      this.toServer.delete(key);
      this.cancelled.delete(pending);
      this.subscriptions.delete(id);
      pending.fail?.(out);
    }
    return out.step();
  }

  /** Does something without a message, and gives the transport what is written because of it. */
  later(act: (out: Output) => void): void {
    if (this.isClosed) return;
    const out = new Output(this.isText);
    act(out);
    out.action = "answer";
    if (!out.isEmpty) this.#onOutput?.(out.step());
  }

  /** Asks the server for something that the guard needs; the result is absent where there is none. */
  request(
    method: string,
    params: JsonObject | undefined,
    out: Output,
    settle: (result: JsonObject | undefined, text: string | undefined, out: Output) => void,
  ): void {
    const id = this.core.nextId();
    this.toServer.set(idKey(id), {
      id,
      method,
      era: "legacy",
      correlation: id,
      isOwn: true,
      settle: ({ result }, reading, next) => settle(result, reading.text, next),
      fail: (next) => settle(undefined, undefined, next),
    });
    out.write("server", { jsonrpc: "2.0", id, method, ...(params && { params }) });
  }

  /** Lets a message go on as it came. */
  pass(from: Side, message: RpcMessage, reading: Reading, out: Output): void {
    const to = from === "client" ? "server" : "client";
    if (reading.isBatch) out.write(to, message.value);
    else out.forward(to, reading.forward, message.value);
    out.action = "forward";
  }

  /** Lets a changed message go on. */
  replace(from: Side, value: JsonObject, out: Output): void {
    out.write(from === "client" ? "server" : "client", value);
    out.action = "replace";
  }

  /** Refuses a request of the client, in the form that its method has for that. */
  refuse(
    { id, method, era, isTask }: Pick<Pending, "id" | "method" | "era" | "isTask">,
    reason: string,
    out: Output,
  ): void {
    const isCall = method === "tools/call" && isTask !== true;
    const message = isCall
      ? answer(id, refusedResult(reason, era))
      : errorAnswer(id, REFUSED, `Refused by the guard: ${reason}`);
    out.write("client", message);
  }

  /** Goes on with what waited. Where that fails, it is refused, or goes on as it came where faults are let through. */
  orRefuse({ message, reading, pending }: Waiting, out: Output, goOn: () => void, isOpen: boolean): void {
    try {
      goOn();
    } catch (error) {
      this.core.fault("client", error, { ...pending, isRefused: !isOpen });
      this.toServer.delete(idKey(pending.id));
      if (!isOpen) {
        this.refuse(pending, "the guard failed", out);
        return;
      }
      this.expectUnjudged(pending);
      this.pass("client", message, reading, out);
    }
  }

  /** Lets the answer to a request go on as it comes. */
  expectUnjudged(pending: Pending): void {
    const settle: Pending["settle"] = (answer, reading, out) => this.pass("server", answer, reading, out);
    this.toServer.set(idKey(pending.id), { ...pending, settle });
  }

  /** Tells of something: of a request of the client, or of what belongs to none. */
  told(
    kind: GuardEventKind,
    method: string | undefined,
    findings: readonly string[],
    outcome: GuardOutcome,
    reason?: string,
    from: Side = "server",
    of?: Pick<Pending, "correlation" | "request">,
  ): void {
    if (!this.core.isRecorded) return;
    const { correlation, request } = of ?? { correlation: this.core.nextId() };
    const why = reason !== undefined && { reason };
    const named = { ...(method !== undefined && { method }), ...(request && { request }) };
    this.core.emit({ kind, from, findings, outcome, correlation, ...named, ...why });
  }
}
