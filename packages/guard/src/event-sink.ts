import { isJsonObject, ownMember } from "@agentprint/canonical-json/json-value";
import { META, type RequestMessage } from "@agentprint/mcp";
import { type EventDetails, type EventSources, eventOf } from "./emit-event.ts";
import type { EventRequest, GuardEvent } from "./events.ts";
import type { LockInForce } from "./lock-in-force.ts";
import type { GuardOptions } from "./options.ts";
import { ofProgram, ProgramFault } from "./program-fault.ts";
import type { Settings } from "./settings.ts";

const ID_BYTES = 9;

/** Emits the events of a guard, and names what belongs together. */
export class EventSink {
  /** Whether the program takes events. */
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

  /** Returns an id that no client and no server has: a random prefix and a number. */
  nextId(): string {
    return `${this.#prefix}-${++this.#ids}`;
  }

  /** Returns what events say of a request of the client, from its arrival on. */
  recorded(message: RequestMessage, connection: Connected): Required<Pick<GuardEvent, "correlation" | "request">> {
    const since = this.#settings.clock.now();
    return { correlation: this.nextId(), request: new RecordedRequest(message, connection, since) };
  }

  /** Emits an event. Throws where `onEvent` fails, unless the message is refused already or faults are let through. */
  emit(details: EventDetails, sources?: EventSources): void {
    if (this.#onEvent === undefined) return;
    // The event of its fault has the same id.
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

  /** Emits a fault event with the outcome for the message. Ignores an error of `onEvent`, which may be the fault. */
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

/** What a connection knows of a client. */
interface Connected {
  readonly protocolVersion: string | undefined;
  readonly session?: (() => string | undefined) | undefined;
}

/** A request described for events. Its members are read on access only. */
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
