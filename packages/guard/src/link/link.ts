import { canonicalize } from "@agentprint/canonical-json";
import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import {
  type AnswerMessage,
  eraOfRequest,
  idKey,
  type MessageParts,
  type NumberTexts,
  type RequestId,
  type RequestMessage,
} from "@agentprint/mcp";
import type { CallState } from "../calls/call-state.ts";
import type { GuardCore } from "../core.ts";
import type { EventSink, EventSources, ExchangeEvent } from "../event-sink.ts";
import type { LockInForce } from "../lock-in-force.ts";
import type { ConnectionOptions } from "../options.ts";
import { ofProgram } from "../program-fault.ts";
import { isExact, type Reading } from "../read/read-message.ts";
import { answer, type Refusable, refusal } from "../refusal.ts";
import { hasHiddenText, mayHide } from "../results/screen.ts";
import type { GuardRuleId } from "../rules.ts";
import type { Settings } from "../settings.ts";
import type { Step } from "../step.ts";
import type { ClientLists } from "../verify/client-lists.ts";
import type { SharedListings } from "../verify/shared-listings.ts";
import { withoutCapabilities } from "./client-capabilities.ts";
import { ClientIdentity } from "./client-identity.ts";
import { Output, type Side, textWithNumbers, type Written } from "./output.ts";
import type { Held, OwnRequest, PendingRequest, Settled } from "./pending.ts";

/** A request that is waiting for its answer. */
export type Pending = PendingRequest<Answer>;
/** A client's request on its way through the guard. */
export type Request = Exchange<RequestMessage, Pending>;
/** An answer on its way through the guard; `pending` is the request that it answers. */
export type Answer = Exchange<AnswerMessage, Pending>;

/** A connection between one client and one server through the guard. */
export class Link {
  readonly settings: Settings;
  readonly lock: LockInForce;
  readonly calls: CallState;
  readonly events: EventSink;
  readonly shared: SharedListings;
  readonly lists: ClientLists;
  readonly identity: ClientIdentity;
  /** The digest of the credentials and headers that came with the current message. */
  presented: string;
  /** Requests that the server has not answered yet, by the key of their ids. */
  readonly toServer: Map<string, Pending> = new Map();
  /** Those of these requests that were cancelled; most servers never answer them. */
  readonly cancelled: Set<Pending> = new Set();
  /** Requests that the client has not answered yet. */
  readonly toClient: Map<string, Pending> = new Map();
  /** Client requests that the guard holds. */
  readonly held: Map<string, Held> = new Map();
  /** The notification filters of the client's subscriptions, by request id. */
  readonly subscriptions: Map<RequestId, JsonObject> = new Map();
  /** The client capabilities from the handshake. */
  clientCapabilities: JsonObject = {};
  /** The server capabilities from the handshake, as the client received them. */
  serverCapabilities: JsonObject = {};
  protocolVersion: string | undefined;
  /** The transport's session. */
  readonly session: ConnectionOptions["session"];
  /** Whether the server may echo an integer id as its decimal text. */
  readonly isStdio: boolean;
  /** The key of the server's process or URL. */
  readonly #peer: string;
  /** The same key if no other connection has this peer. */
  readonly #ownPeer: string | undefined;
  readonly #onOutput: ConnectionOptions["onOutput"];
  /** Whether the transport writes text; if not, it writes parsed values. */
  isText = true;
  /** The last message without hidden text, so that it is not searched again. */
  clean: JsonObject | undefined;
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
    // A generated id cannot equal the peer of another connection.
    this.#peer = this.#ownPeer ?? JSON.stringify(peer);
    this.identity = new ClientIdentity(this.#peer, options.authorization, this.session, () => this.lock.denied);
    this.isStdio = options.isStdio ?? true;
    this.presented = this.identity.authorization;
    this.#onOutput = onOutput && ((step) => ofProgram(onOutput, step));
  }

  /** Returns the key of the process or session that owns the server's tasks. */
  get owner(): string {
    return JSON.stringify([this.#peer, this.session?.() ?? null]);
  }

  /** Refuses the held requests, and ends the connection. */
  close(): Step {
    const out = new Output();
    this.refuseHeld("the connection ends", out);
    this.isClosed = true;
    this.shared.leave(this);
    if (this.#ownPeer !== undefined) this.lists.leave(this.#ownPeer);
    return out;
  }

  /** Refuses the held requests. */
  refuseHeld(reason: string, out: Output): void {
    for (const held of [...this.held.values()]) held.refuse(reason, out);
  }

  /** Forgets a request that will get no answer, and refuses the requests that wait for it. */
  abandon(id: RequestId): Step {
    const out = new Output();
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
    return out;
  }

  /** Acts without an incoming message; passes the output to the transport. */
  later(act: (out: Output) => void): void {
    if (this.isClosed) return;
    const out = new Output();
    act(out);
    out.action = "answer";
    if (out.toServer.length + out.toClient.length > 0) this.#onOutput?.(out);
  }

  /** Writes a message that the guard created or changed. */
  write(out: Output, to: Side, value: JsonObject, { because, numbers }: Written = {}): void {
    const text = (): string => (numbers === undefined ? canonicalize(value) : textWithNumbers(value, numbers));
    const message = this.isText ? text() : value;
    const side = to === "server" ? out.toServer : out.toClient;
    side.push({ message, value, origin: "guard", ...(because !== undefined && { because }) });
  }

  /** Refuses a client's request in the form that its method requires. */
  refuse(request: Refusable, reason: string, out: Output): void {
    this.write(out, "client", refusal(request, reason));
  }

  /** Sends one of the guard's own requests to the server. `settle` gets `undefined` if no result is usable. */
  request({ method, params, because }: OwnRequest, out: Output, settle: Settled): void {
    const id = this.events.nextId();
    this.toServer.set(idKey(id), {
      id,
      method,
      era: "legacy",
      correlation: id,
      isOwn: true,
      // A result on which readers differ counts as missing.
      settle: ({ message: { result }, reading: { tolerated, numbers }, text, out: next }) =>
        settle(tolerated.length > 0 ? undefined : { result, text, numbers }, next),
      fail: (next) => settle(undefined, next),
    });
    this.write(out, "server", { jsonrpc: "2.0", id, method, ...(params && { params }) }, { because });
  }

  /** Receives a message from one side: a request becomes pending, and an answer finds the request that it answers. */
  exchange(from: Side, message: MessageParts, reading: Reading): Exchange {
    const pending = message.kind === "request" ? this.#pendingOf(from, message) : undefined;
    return new Exchange({ link: this, from, message, reading, pending });
  }

  #pendingOf(from: Side, message: RequestMessage): Pending {
    const { id, method, params } = message;
    const { isRecorded } = this.events;
    if (from === "server") return { id, method, era: "legacy", correlation: isRecorded ? this.events.nextId() : "" };
    const { _meta: meta } = params;
    const asked = { id, method, era: eraOfRequest(message), presented: this.presented };
    const pending = isJsonObject(meta) ? { ...asked, meta } : asked;
    return isRecorded ? { ...pending, ...this.events.recorded(message, this) } : { ...pending, correlation: "" };
  }
}

/** A message on its way through the guard: its connection, its parsed parts, its step, and the pending request. */
export class Exchange<
  Message extends MessageParts = MessageParts,
  Waiting extends Pending | undefined = Pending | undefined,
> {
  readonly link: Link;
  readonly from: Side;
  readonly message: Message;
  readonly reading: Reading;
  /** The current step, which is a different one if the message was held. */
  out: Output;
  /** The request itself or, for an answer, the request that it answers. */
  pending: Waiting;
  /** The text of the message; absent for a batch, for a parsed value and for a changed message. */
  readonly text: string | undefined;
  /** Whether the guard changed the message, so that it must be serialized again. */
  readonly isChanged: boolean;
  /** The rules about the server's requests within the message. */
  asked: readonly GuardRuleId[];

  constructor(
    given: Pick<Exchange<Message, Waiting>, "link" | "from" | "message" | "reading" | "pending"> &
      Partial<Pick<Exchange, "out" | "isChanged" | "asked">>,
  ) {
    this.link = given.link;
    this.from = given.from;
    this.message = given.message;
    this.reading = given.reading;
    this.pending = given.pending;
    this.out = given.out ?? new Output();
    this.isChanged = given.isChanged ?? false;
    this.asked = given.asked ?? [];
    this.text = this.isChanged ? undefined : given.reading.text;
  }

  /** Returns this exchange with a changed message. */
  changed(message: Message): Exchange<Message, Waiting> {
    return new Exchange({ ...this, message, isChanged: true });
  }

  /** Emits an event about the message. */
  report(event: ExchangeEvent, sources?: EventSources): void {
    const { from, message, pending } = this;
    const method = message.kind === "answer" ? (pending?.method ?? "") : message.method;
    this.link.events.emit({ from, method, about: pending, ...event }, sources);
  }

  /** Forwards a message as it came, except for hidden text that is withheld. */
  pass(): void {
    const { link, from, message, reading, out } = this;
    const isShown = from === "client" || link.clean === message.value;
    const shown = isShown ? message.value : link.lock.shown(message.value);
    if (shown !== message.value || this.isChanged) {
      this.#replaceShown(shown);
      return;
    }
    const [to, side] = from === "client" ? (["server", out.toServer] as const) : (["client", out.toClient] as const);
    if (reading.isBatch) link.write(out, to, message.value);
    else side.push({ message: reading.forward, value: message.value, origin: "forwarded" });
    out.action = "forward";
  }

  /** Sends a client's request to the server, without the capabilities that the policy withholds from the server. */
  forward(this: Request, settle: NonNullable<Pending["settle"]>): void {
    const { link, message, pending } = this;
    link.toServer.set(idKey(pending.id), { ...pending, settle });
    const { denied } = link.lock;
    const value = denied.size === 0 ? message.value : withoutCapabilities(message, denied);
    if (value === message.value) this.pass();
    else this.#replace(value);
  }

  /** Refuses a client's request, given the request or its answer, in the form that its method requires. */
  refuse(reason: string): void {
    if (this.pending) this.link.refuse(this.pending, reason, this.out);
  }

  /** Sends a result that the guard changed, with its number texts by pointer, screened like the server's results. */
  replaceResult(this: Answer, result: JsonObject, numbers?: NumberTexts): void {
    const value = answer(this.pending.id, result);
    const shown = this.link.lock.shown(value);
    if (shown === value) this.#replace(value, numbers);
    else this.#replaceShown(shown);
  }

  /** Returns whether a message from the server has hidden text; `false` if screening is off. */
  hides(): boolean {
    const { link, message, text } = this;
    const { screen, world } = link.lock;
    if (screen === "off") return false;
    const isHiding = (text === undefined || mayHide(text)) && hasHiddenText(message.value, world.hiddenTexts);
    if (!isHiding) link.clean = message.value;
    return isHiding;
  }

  /** Writes the screened form of a server's message; if there is none, refuses the request that waits for it. */
  #replaceShown(shown: JsonObject | undefined): void {
    // A value on which readers differ cannot be serialized again.
    if (shown !== undefined && isExact(this.reading)) this.#replace(shown);
    else if (this.message.kind === "answer") this.refuse("the server's answer holds a text that cannot be shown");
  }

  #replace(value: JsonObject, numbers?: NumberTexts): void {
    this.link.write(this.out, this.from === "client" ? "server" : "client", value, { numbers });
    this.out.action = "replace";
  }
}
