import type { JsonObject } from "@agentprint/canonical-json/json-value";
import { type AnswerMessage, idKey, type MessageParts, type RequestId, type RequestMessage } from "@agentprint/mcp";
import type { CallState } from "../calls/call-state.ts";
import type { GuardCore } from "../core.ts";
import type { EventSink } from "../event-sink.ts";
import type { GuardEventKind, GuardOutcome } from "../events.ts";
import type { LockInForce } from "../lock-in-force.ts";
import type { ConnectionOptions } from "../options.ts";
import { ofProgram, ProgramFault } from "../program-fault.ts";
import type { Reading } from "../read/read-message.ts";
import { answer, errorAnswer, REFUSED, refusedResult } from "../refusal.ts";
import { hasHiddenText, mayHide, withoutHiddenText } from "../results/screen.ts";
import type { Settings } from "../settings.ts";
import type { Step } from "../step.ts";
import type { ClientLists } from "../verify/client-lists.ts";
import type { SharedListings } from "../verify/shared-listings.ts";
import { capabilitiesIn } from "./client-capabilities.ts";
import { ClientIdentity, type ClientKey } from "./client-identity.ts";
import { Output, type Side } from "./output.ts";
import type { Held, Pending } from "./pending.ts";

/** A request of the client that waits in the guard. */
export interface Waiting {
  readonly message: RequestMessage;
  readonly reading: Reading;
  readonly pending: Pending;
}

/** The reason of every refusal while the lock has no entry of the server. */
export const NOT_LOCKED = "the lock has no entry of the server";
/** The reason for refusing a message that cannot be judged, which is never forwarded and is no fault. */
export const NOT_JUDGED = "it could not be judged";

/** A connection between one client and one server through the guard. */
export class Link {
  readonly settings: Settings;
  readonly lock: LockInForce;
  readonly calls: CallState;
  readonly events: EventSink;
  readonly shared: SharedListings;
  readonly lists: ClientLists;
  /** The digest of the credentials and headers of the message that is being read. */
  presented: string;
  /** Requests that the server has not answered yet, by the keys of their ids. */
  readonly toServer: Map<string, Pending> = new Map();
  /** The cancelled requests among them, which most servers never answer. */
  readonly cancelled: Set<Pending> = new Set();
  /** Requests that the client has not answered yet. */
  readonly toClient: Map<string, Pending> = new Map();
  /** Requests of the client that wait in the guard. */
  readonly held: Map<string, Held> = new Map();
  /** The notification filters of the client's subscriptions, by request id. */
  readonly subscriptions: Map<RequestId, JsonObject> = new Map();
  /** The client capabilities from the handshake. */
  clientCapabilities: JsonObject = {};
  /** The server capabilities from the handshake, as the client received them. */
  serverCapabilities: JsonObject = {};
  protocolVersion: string | undefined;
  /** The session of the transport. */
  readonly session: ConnectionOptions["session"];
  readonly #identity: ClientIdentity;
  /** The key of the process or address of the server. */
  readonly #peer: string;
  /** The same key where no other connection shares the peer. */
  readonly #ownPeer: string | undefined;
  readonly #onOutput: ConnectionOptions["onOutput"];
  /** Whether the transport writes text; otherwise it writes parsed values. */
  isText = true;
  /** The last message without hidden text, which is not searched again. */
  #clean: JsonObject | undefined;
  isClosed = false;

  constructor(core: GuardCore, options: ConnectionOptions) {
    const { peer, onOutput, session } = options;
    this.settings = core.settings;
    this.lock = core.lock;
    this.calls = core.calls;
    this.events = core.events;
    this.shared = core.shared;
    this.lists = core.lists;
    this.#ownPeer = peer === undefined ? core.events.nextId() : undefined;
    this.session = session && (() => ofProgram(session));
    // A generated id collides with no peer of another connection.
    this.#peer = this.#ownPeer ?? JSON.stringify(peer);
    this.#identity = new ClientIdentity(this.#peer, options.authorization, this.session);
    this.presented = this.#identity.presented(undefined);
    this.#onOutput = onOutput && ((step) => ofProgram(() => onOutput(step)));
  }

  /** Returns the key of the process or session that owns the server's tasks. */
  get owner(): string {
    return JSON.stringify([this.#peer, this.session?.() ?? null]);
  }

  /** Stores the digest of the headers of the message that is read now. */
  reads(headers: string | undefined): void {
    this.presented = this.#identity.presented(headers);
  }

  /** Takes the client's part of the handshake. */
  greets(message: RequestMessage): void {
    this.clientCapabilities = capabilitiesIn(message) ?? {};
    this.#identity.greets(message);
  }

  /** Takes the protocol version that the server agrees to. */
  agrees(version: string | undefined): void {
    this.protocolVersion = version;
    this.#identity.agrees(version);
  }

  /** Returns the key of the client for whom a verdict on a request counts. */
  keyOf(message: RequestMessage, presented: string | undefined): ClientKey {
    return this.#identity.keyOf(message, presented ?? "");
  }

  /** Refuses the held requests, and ends the connection. */
  close(): Step {
    const out = new Output(this.isText);
    this.refuseHeld("the connection ends", out);
    this.isClosed = true;
    this.shared.leave(this);
    if (this.#ownPeer !== undefined) this.lists.leave(this.#ownPeer);
    return out.step();
  }

  /** Refuses the held requests. */
  refuseHeld(reason: string, out: Output): void {
    for (const held of [...this.held.values()]) held.refuse(reason, out);
  }

  /** Forgets a request of the client or of the guard that gets no answer, and refuses the requests that wait for it. */
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

  /** Acts without an incoming message, and passes the output to the transport. */
  later(act: (out: Output) => void): void {
    if (this.isClosed) return;
    const out = new Output(this.isText);
    act(out);
    out.action = "answer";
    if (!out.isEmpty) this.#onOutput?.(out.step());
  }

  /** Sends a request of the guard to the server. `settle` gets `undefined` where there is no usable result. */
  request(
    method: string,
    params: JsonObject | undefined,
    because: RequestId | undefined,
    out: Output,
    settle: (result: JsonObject | undefined, text: string | undefined, out: Output) => void,
  ): void {
    const id = this.events.nextId();
    this.toServer.set(idKey(id), {
      id,
      method,
      era: "legacy",
      correlation: id,
      isOwn: true,
      // A result that readers read differently counts as missing.
      settle: ({ result }, { text, tolerated }, next) => settle(tolerated.length > 0 ? undefined : result, text, next),
      fail: (next) => settle(undefined, undefined, next),
    });
    out.write("server", { jsonrpc: "2.0", id, method, ...(params && { params }) }, because);
  }

  /** Forwards a message as it came, except for withheld hidden text. */
  pass(from: Side, message: MessageParts, reading: Reading, out: Output): void {
    if (from === "server" && this.lock.screen === "withhold" && this.#clean !== message.value) {
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

  /** Forwards a changed message. */
  replace(from: Side, value: JsonObject, out: Output): void {
    out.write(from === "client" ? "server" : "client", value);
    out.action = "replace";
  }

  /** Forwards a result that the guard changed, screened like one of the server. */
  replaceResult(message: AnswerMessage, reading: Reading, value: JsonObject, out: Output): void {
    const shown = this.lock.screen === "withhold" ? this.shown(value) : value;
    this.#write(shown, message, reading, out);
  }

  /** Returns a server message with its hidden text withheld, or `undefined` where nothing of it can be shown. */
  shown(value: JsonObject): JsonObject | undefined {
    return withoutHiddenText(value, this.lock.world.hiddenTexts);
  }

  /** Returns whether a server message has hidden text; `false` where screening is off. */
  hides(message: MessageParts, reading: Reading): boolean {
    if (this.lock.screen === "off") return false;
    const { text } = reading;
    const isHiding = (text === undefined || mayHide(text)) && hasHiddenText(message.value, this.lock.world.hiddenTexts);
    if (!isHiding) this.#clean = message.value;
    return isHiding;
  }

  /** Writes the screened form of a server message. Where there is none, refuses the request that waits for it. */
  #write(shown: JsonObject | undefined, message: MessageParts, { tolerated }: Reading, out: Output): void {
    // A value that readers read differently cannot be serialized again.
    if (shown !== undefined && tolerated.length === 0) {
      this.replace("server", shown, out);
      return;
    }
    const pending =
      message.kind === "answer" && message.id !== undefined ? this.toServer.get(idKey(message.id)) : undefined;
    if (pending) this.refuse(pending, "the answer of the server holds what cannot be shown", out);
  }

  /** Refuses a client request in the form that its method prescribes. */
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

  /** Continues a held request. On a failure, refuses it, or forwards it as it came where `isOpen` lets faults pass. */
  orRefuse({ message, reading, pending }: Waiting, out: Output, goOn: () => void, isOpen: boolean): void {
    try {
      goOn();
    } catch (error) {
      this.toServer.delete(idKey(pending.id));
      if (!(error instanceof ProgramFault)) {
        this.refuse(pending, NOT_JUDGED, out);
        this.report("refused", pending.method, [], "refused", NOT_JUDGED, "client", pending);
        return;
      }
      this.events.fault("client", error, { ...pending, isRefused: !isOpen });
      if (!isOpen) {
        this.refuse(pending, "the guard failed", out);
        return;
      }
      this.expectUnjudged(pending);
      this.pass("client", message, reading, out);
    }
  }

  /** Expects an answer, and forwards it unjudged. */
  expectUnjudged(pending: Pending): void {
    const settle: Pending["settle"] = (answer, reading, out) => this.pass("server", answer, reading, out);
    this.toServer.set(idKey(pending.id), { ...pending, settle });
  }

  /** Emits an event about the request `of`, or about none. */
  report(
    kind: GuardEventKind,
    method: string | undefined,
    findings: readonly string[],
    outcome: GuardOutcome,
    reason?: string,
    from: Side = "server",
    of?: Pick<Pending, "correlation" | "request">,
  ): void {
    if (!this.events.isRecorded) return;
    const { correlation, request } = of ?? { correlation: this.events.nextId() };
    const why = reason !== undefined && { reason };
    const named = { ...(method !== undefined && { method }), ...(request && { request }) };
    this.events.emit({ kind, from, findings, outcome, correlation, ...named, ...why });
  }
}
