import type { JsonObject } from "@agentprint/canonical-json/json-value";
import { answer, errorAnswer, REFUSED, refusedResult } from "../calls/refusal.ts";
import type { GuardCore } from "../core.ts";
import type { GuardEventKind, GuardOutcome } from "../events.ts";
import type { ConnectionOptions } from "../options.ts";
import { ofProgram, ProgramFault } from "../program-fault.ts";
import type { AnswerMessage, RequestMessage, RpcMessage } from "../read/message-shape.ts";
import type { Reading } from "../read/read-message.ts";
import { idKey, type RequestId } from "../read/request-id.ts";
import { hasHiddenText, mayHide, withoutHiddenText } from "../results/screen.ts";
import type { Step } from "../step.ts";
import type { ClientKey } from "../verify/client-lists.ts";
import type { Asker } from "../verify/shared-listings.ts";
import { capabilitiesIn } from "./client-capabilities.ts";
import { ClientIdentity } from "./client-identity.ts";
import { Output, type Side } from "./output.ts";
import type { Held, Pending } from "./pending.ts";

/** A request of the client that waits in the guard. */
export interface Waiting {
  readonly message: RequestMessage;
  readonly reading: Reading;
  readonly pending: Pending;
}

/** Why everything is refused where the lock has no entry of the server any more. */
export const NOT_LOCKED = "the lock has no entry of the server";
/** Why a message is refused that nothing here can judge: it is never passed on, and no fault. */
export const NOT_JUDGED = "it could not be judged";

/** One client and one server that speak through the guard. */
export class Link implements Asker {
  readonly core: GuardCore;
  /** The digest of what came with the message that is being read. */
  presented: string;
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
  readonly #identity: ClientIdentity;
  /** Where nobody else speaks with the same process or address. */
  readonly #peer: string;
  readonly #ownPeer: string | undefined;
  readonly #onOutput: ConnectionOptions["onOutput"];
  /** Whether the transport writes text; else it is given values. */
  isText = true;
  /** The message that was found to hide nothing: it is not looked at again. */
  #clean: JsonObject | undefined;
  isClosed = false;

  constructor(core: GuardCore, options: ConnectionOptions) {
    const { peer, onOutput, session } = options;
    this.core = core;
    this.#ownPeer = peer === undefined ? core.nextId() : undefined;
    this.session = session && (() => ofProgram(session));
    // An id of the guard names no peer of anybody else.
    this.#peer = this.#ownPeer ?? JSON.stringify(peer);
    this.#identity = new ClientIdentity(this.#peer, options.authorization, this.session);
    this.presented = this.#identity.presented(undefined);
    this.#onOutput = onOutput && ((step) => ofProgram(() => onOutput(step)));
  }

  /** Whose tasks the server works on: those of its process or session. */
  get owner(): string {
    return JSON.stringify([this.#peer, this.session?.() ?? null]);
  }

  /** Remembers what comes with the message that is read now, such as its headers. */
  reads(headers: string | undefined): void {
    this.presented = this.#identity.presented(headers);
  }

  /** The client greets the server in the handshake. */
  greets(message: RequestMessage): void {
    this.clientCapabilities = capabilitiesIn(message) ?? {};
    this.#identity.greets(message);
  }

  /** The server agrees to a version in the handshake. */
  agrees(version: string | undefined): void {
    this.protocolVersion = version;
    this.#identity.agrees(version);
  }

  /** For whom a verdict about a request counts: what the server can tell the client by. */
  keyOf(message: RequestMessage, presented: string | undefined): ClientKey {
    return this.#identity.keyOf(message, presented ?? "");
  }

  /** Refuses what waits in the guard, and ends the connection. */
  close(): Step {
    const out = new Output(this.isText);
    this.refuseHeld("the connection ends", out);
    this.isClosed = true;
    this.core.shared.leave(this);
    if (this.#ownPeer !== undefined) this.core.lists.leave(this.#ownPeer);
    return out.step();
  }

  /** Refuses what waits in the guard. */
  refuseHeld(reason: string, out: Output): void {
    for (const held of [...this.held.values()]) held.refuse(reason, out);
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
    because: RequestId | undefined,
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
      // A list in which readers read something differently is none.
      settle: ({ result }, { text, tolerated }, next) => settle(tolerated.length > 0 ? undefined : result, text, next),
      fail: (next) => settle(undefined, undefined, next),
    });
    out.write("server", { jsonrpc: "2.0", id, method, ...(params && { params }) }, because);
  }

  /** Lets a message go on as it came. */
  pass(from: Side, message: RpcMessage, reading: Reading, out: Output): void {
    if (from === "server" && this.core.screen === "withhold" && this.#clean !== message.value) {
      const shown = this.shown(message.value);
      if (shown !== message.value) {
        this.#write(shown, message, reading, out);
        return;
      }
    }
    if (reading.isChanged) {
      this.replace(from, message.value, out);
      return;
    }
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

  /** Lets the client have a result that the guard changed; its texts are screened as those of the server. */
  replaceResult(message: AnswerMessage, reading: Reading, value: JsonObject, out: Output): void {
    const shown = this.core.screen === "withhold" ? this.shown(value) : value;
    this.#write(shown, message, reading, out);
  }

  /** A message of the server without texts that hide something; absent where nothing of it can be shown. */
  shown(value: JsonObject): JsonObject | undefined {
    return withoutHiddenText(value, this.core.world.hiddenTexts);
  }

  /** Whether a message of the server hides something, where it is looked for. */
  hides(message: RpcMessage, reading: Reading): boolean {
    if (this.core.screen === "off") return false;
    const { text } = reading;
    const isHiding = (text === undefined || mayHide(text)) && hasHiddenText(message.value, this.core.world.hiddenTexts);
    if (!isHiding) this.#clean = message.value;
    return isHiding;
  }

  /** Writes what the guard made of a message of the server. Where that cannot be done, a request is refused, so that nobody waits. */
  #write(shown: JsonObject | undefined, message: RpcMessage, { tolerated }: Reading, out: Output): void {
    // What readers read differently cannot be written anew.
    if (shown !== undefined && tolerated.length === 0) {
      this.replace("server", shown, out);
      return;
    }
    const pending =
      message.kind === "answer" && message.id !== undefined ? this.toServer.get(idKey(message.id)) : undefined;
    if (pending) this.refuse(pending, "the answer of the server holds what cannot be shown", out);
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
      this.toServer.delete(idKey(pending.id));
      if (!(error instanceof ProgramFault)) {
        this.refuse(pending, NOT_JUDGED, out);
        this.told("refused", pending.method, [], "refused", NOT_JUDGED, "client", pending);
        return;
      }
      this.core.fault("client", error, { ...pending, isRefused: !isOpen });
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
