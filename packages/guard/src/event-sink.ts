import { canonicalize, hashCanonical, sha256Hex } from "@agentprint/canonical-json";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "@agentprint/canonical-json/json-value";
import { META, type RequestMessage } from "@agentprint/mcp";
import { definitionSetHashV1 } from "@agentprint/mcp-lock";
import type { EventContents, EventDigests, EventRequest, GuardEvent } from "./events.ts";
import type { LockInForce } from "./lock-in-force.ts";
import type { GuardOptions } from "./options.ts";
import { ofProgram, ProgramFault } from "./program-fault.ts";
import type { Settings } from "./settings.ts";
import type { Message } from "./step.ts";
import { digestOf, type Locked } from "./verify/baseline.ts";
import type { ItemVerdict } from "./verify/verdict.ts";

const ID_BYTES = 9;

/** The event members that an emitter states; the guard adds the others. */
export interface EventDetails
  extends Pick<GuardEvent, "kind" | "from" | "outcome">,
    Partial<Pick<GuardEvent, "decision" | "findings">> {
  readonly method?: string | undefined;
  readonly tool?: string | undefined;
  readonly reason?: string | undefined;
  readonly failure?: GuardEvent["failure"] | undefined;
  /** The request that the event results from; if there is none, the event gets its own id. */
  readonly about?: Pick<GuardEvent, "correlation" | "request"> | undefined;
}

/** The event members that the emitter of an event about a message states. */
export type ExchangeEvent = Omit<EventDetails, "from" | "method" | "about">;

/** The values from which the guard derives event members. */
export interface EventSources {
  readonly of?: Digested;
  /** The verdicts on the tools, if a complete list was verified. */
  readonly verdicts?: ReadonlyMap<string, ItemVerdict> | undefined;
}

/** The values from which an event's digests are computed. */
export interface Digested {
  readonly arguments?: JsonValue | undefined;
  readonly result?: Message | undefined;
  readonly tool?: Locked | undefined;
  /** The verdicts on all tools or all prompts. */
  readonly listing?: ReadonlyMap<string, ItemVerdict> | undefined;
}

/** Emits a guard's events, and gives related events a common id. */
export class EventSink {
  /** Whether the program wants to receive events. */
  readonly isRecorded: boolean;
  readonly #settings: Settings;
  readonly #lock: LockInForce;
  readonly #onEvent: GuardOptions["onEvent"];
  readonly #prefix: string;
  #ids = 0;

  constructor(
    settings: Settings,
    lock: LockInForce,
    onEvent: GuardOptions["onEvent"],
    random: (bytes: number) => Uint8Array,
  ) {
    this.isRecorded = onEvent !== undefined;
    this.#settings = settings;
    this.#lock = lock;
    this.#onEvent = onEvent;
    this.#prefix = Buffer.from(random(ID_BYTES)).toString("hex");
  }

  /** Returns an id that no client or server uses: a random prefix and a number. */
  nextId(): string {
    return `${this.#prefix}-${++this.#ids}`;
  }

  /** Returns the facts that events record about a client's request from its arrival on. */
  recorded(message: RequestMessage, connection: Connected): Required<Pick<GuardEvent, "correlation" | "request">> {
    const since = this.#settings.clock.now();
    return { correlation: this.nextId(), request: new RecordedRequest(message, connection, since) };
  }

  /**
   * Emits an event. Throws if `onEvent` fails, unless the message has already been refused or faults are let through.
   */
  emit(details: EventDetails, sources?: EventSources): void {
    if (this.#onEvent === undefined) return;
    // The event about a fault of this event has the same id.
    const { about = { correlation: this.nextId() } } = details;
    try {
      this.#tell(this.#onEvent, { ...details, about }, sources);
    } catch (error) {
      const { failOpen, dryRun } = this.#settings;
      const isRefused = details.outcome === "refused";
      if (!isRefused && !failOpen && !dryRun) throw error;
      this.fault(details.from === "client" ? "client" : "server", error, { ...details, about, isRefused });
    }
  }

  #tell(onEvent: NonNullable<GuardOptions["onEvent"]>, details: EventDetails, sources?: EventSources): void {
    const { server, world } = this.#lock;
    const correlation = details.about?.correlation ?? this.nextId();
    const given = { server, time: this.#settings.clock.now(), correlation, lock: world.entry.digest };
    ofProgram(onEvent, eventOf(details, given, sources));
  }

  /**
   * Emits a fault event with the outcome for the message. Ignores an error thrown by `onEvent`, which may itself be the
   * fault.
   */
  fault(from: "client" | "server", error: unknown, message: Faulted = {}): void {
    if (this.#onEvent === undefined) return;
    const { method, tool, about, isRefused = !this.#settings.failOpen } = message;
    const reason = nameOf(error instanceof ProgramFault ? error.cause : error);
    try {
      const outcome = isRefused ? "refused" : "passed";
      this.#tell(this.#onEvent, { kind: "fault", from, outcome, reason, method, tool, about });
    } catch {}
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "unknown";
}

/** The message that the guard was handling when it failed. */
type Faulted = Pick<EventDetails, "method" | "tool" | "about"> & { readonly isRefused?: boolean };

/** The properties of a connection that describe its client. */
interface Connected {
  readonly protocolVersion: string | undefined;
  readonly session?: (() => string | undefined) | undefined;
}

/** A request as events describe it. Its members are read only when they are accessed. */
class RecordedRequest implements EventRequest {
  readonly id: EventRequest["id"];
  readonly since: number;
  readonly #params: RequestMessage["params"];
  readonly #connection: Connected;

  constructor({ id, params }: RequestMessage, connection: Connected, since: number) {
    this.id = id;
    this.since = since;
    this.#params = params;
    this.#connection = connection;
  }

  get target(): string | undefined {
    return textOf(this.#params["name"]) ?? textOf(this.#params["uri"]);
  }

  get protocolVersion(): string | undefined {
    return this.meta(META.protocolVersion) ?? this.#connection.protocolVersion;
  }

  get session(): string | undefined {
    return this.#connection.session?.();
  }

  meta(name: string): string | undefined {
    const { _meta: meta } = this.#params;
    return isJsonObject(meta) ? textOf(ownMember(meta, name)) : undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The event members that are the same for all messages at one time. */
type Given = Pick<GuardEvent, "server" | "time" | "correlation"> & { readonly lock: string };

/** Returns an event. */
function eventOf(details: EventDetails, { lock, ...given }: Given, sources: EventSources = {}): GuardEvent {
  const { kind, from, outcome, method, tool, reason, failure, about } = details;
  const { of = {}, verdicts } = sources;
  return {
    kind,
    from,
    outcome,
    decision: details.decision ?? (outcome === "refused" ? "block" : "pass"),
    findings: details.findings ?? [],
    ...(method !== undefined && { method }),
    ...(tool !== undefined && { tool }),
    ...(reason !== undefined && { reason }),
    ...(failure !== undefined && { failure }),
    ...(about?.request && { request: about.request }),
    ...(verdicts && { tools: new Map([...verdicts].map(([name, { decision }]) => [name, decision])) }),
    ...given,
    digests: new LazyDigests(of, lock),
    contents: new LazyContents(of),
  };
}

const PROFILE = { profile: "ecmascript" } as const;

/** Digests that are computed when they are first accessed, so that an unread event needs none. */
class LazyDigests implements EventDigests {
  readonly #of: Digested;
  readonly lock: string;
  #arguments: string | undefined;
  #result: string | undefined;
  #listing: string | undefined;

  constructor(of: Digested, lock: string) {
    this.#of = of;
    this.lock = lock;
  }

  get arguments(): string | undefined {
    const { arguments: given } = this.#of;
    if (given !== undefined) this.#arguments ??= hashCanonical(given, PROFILE);
    return this.#arguments;
  }

  get result(): string | undefined {
    const { result } = this.#of;
    if (result !== undefined) this.#result ??= digestOfMessage(result);
    return this.#result;
  }

  get listing(): string | undefined {
    const { listing } = this.#of;
    if (listing !== undefined) this.#listing ??= definitionSetHashV1([...listing.values()].map(({ live }) => live));
    return this.#listing;
  }

  get tool(): string | undefined {
    return this.#of.tool && digestOf(this.#of.tool);
  }
}

function digestOfMessage(message: Message): string {
  const isText = typeof message === "string" || message instanceof Uint8Array;
  return isText ? sha256Hex(message) : hashCanonical(message as JsonObject, PROFILE);
}

/** Texts that are created when they are accessed. */
class LazyContents implements EventContents {
  readonly #of: Digested;

  constructor(of: Digested) {
    this.#of = of;
  }

  get arguments(): string | undefined {
    return this.#of.arguments === undefined ? undefined : canonicalize(this.#of.arguments, PROFILE);
  }

  get result(): string | undefined {
    const { result } = this.#of;
    if (result === undefined || typeof result === "string") return result;
    return result instanceof Uint8Array ? new TextDecoder().decode(result) : canonicalize(result, PROFILE);
  }
}
