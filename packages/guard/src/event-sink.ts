import { type EventDetails, type EventSources, LazyContents, LazyDigests } from "./emit-event.ts";
import type { GuardEvent } from "./events.ts";
import type { LockInForce } from "./lock-in-force.ts";
import type { GuardOptions } from "./options.ts";
import { ofProgram, ProgramFault } from "./program-fault.ts";
import type { Settings } from "./settings.ts";

const ID_BYTES = 9;

/** Emits the events of a guard, and names what belongs together. */
export class EventSink {
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
    this.#settings = settings;
    this.#lock = lock;
    this.#onEvent = onEvent;
    this.#prefix = Buffer.from(random(ID_BYTES)).toString("hex");
  }

  /** Returns an id that no client and no server has: a random prefix and a number. */
  nextId(): string {
    return `${this.#prefix}-${++this.#ids}`;
  }

  get isRecorded(): boolean {
    return this.#onEvent !== undefined;
  }

  /** Emits an event. Throws where `onEvent` fails, unless the message is refused already or faults are let through. */
  emit(details: EventDetails, sources?: EventSources): void {
    if (this.#onEvent === undefined) return;
    try {
      this.#tell(this.#onEvent, details, sources);
    } catch (error) {
      const { failOpen, dryRun } = this.#settings;
      const isRefused = details.outcome === "refused";
      if (!isRefused && !failOpen && !dryRun) throw error;
      this.fault(details.from === "client" ? "client" : "server", error, { ...details, isRefused });
    }
  }

  #tell(onEvent: NonNullable<GuardOptions["onEvent"]>, details: EventDetails, sources: EventSources = {}): void {
    const { of = {}, verdicts } = sources;
    const tools = verdicts && new Map([...verdicts].map(([name, { decision }]) => [name, decision]));
    const event: GuardEvent = {
      decision: details.outcome === "refused" ? "block" : "pass",
      findings: [],
      ...details,
      ...(tools && { tools }),
      server: this.#lock.server,
      time: this.#settings.clock.now(),
      digests: new LazyDigests(of, this.#lock.world.entry.digest),
      contents: new LazyContents(of),
    };
    ofProgram(() => onEvent(event));
  }

  /** Emits a fault event with the outcome for the message. Ignores an error of `onEvent`, which may be the fault. */
  fault(from: "client" | "server", error: unknown, about: Faulted = {}): void {
    if (this.#onEvent === undefined) return;
    const { method, tool, request, isRefused = !this.#settings.failOpen, correlation = this.nextId() } = about;
    try {
      this.#tell(this.#onEvent, {
        kind: "fault",
        from,
        outcome: isRefused ? "refused" : "passed",
        reason: nameOf(error instanceof ProgramFault ? error.cause : error),
        correlation,
        ...(method !== undefined && { method }),
        ...(tool !== undefined && { tool }),
        ...(request && { request }),
      });
    } catch {}
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "unknown";
}

/** The message that the guard was handling when it failed. */
type Faulted = Partial<Pick<EventDetails, "method" | "tool" | "request" | "correlation">> & {
  readonly isRefused?: boolean;
};
