import {
  type Cursor,
  type EncodedEvent,
  encodeId,
  encodeMessage,
  GENERATION,
  type StreamEvent,
} from "./encode-event.ts";
import type { EventHub } from "./event-hub.ts";

/** The most bytes that wait for a client that does not read; new versions are read again once the client reads. */
const MAX_WAITING_BYTES = 64 * 1024;
/** The most bytes of versions that are read for a single stream. */
const CATCH_UP_BYTES = 256 * 1024;
/** The number of heartbeats that find no room in the stream before it ends. */
const MAX_SILENT_BEATS = 2;
const ALIVE = new TextEncoder().encode(": alive\n\n");

/** Where a stream begins. */
export interface StreamStart {
  /** The agents, each with the version after which the stream begins. */
  readonly cursor: Cursor;
  /** The versions that the agents have. */
  readonly present: ReadonlyMap<string, number>;
  readonly first: readonly StreamEvent[];
}

/** A stream's owner, which can end the stream and is called when the stream ends or reads. */
export interface StreamOwner {
  /** Ends the stream. */
  readonly ending: AbortSignal;
  /**
   * Called once, when the stream has ended; `isDropped` is true if its client did not read, so that the connection must
   * be closed.
   */
  readonly onEnd: (isDropped: boolean) => void;
  /** Called with the number of bytes of versions that were read only for this stream. */
  readonly onRead: (bytes: number) => void;
  /** Reserves memory for bytes that are read only for this stream; returns whether there was enough. */
  readonly hold: (bytes: number) => boolean;
}

/**
 * Returns the new versions of agents as server-sent events. At most {@link MAX_WAITING_BYTES} and one event wait for
 * the client; a client that does not read for two heartbeats is disconnected, and can continue after the last event
 * that it received.
 */
export function openVersionStream(hub: EventHub, start: StreamStart, owner: StreamOwner): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    new VersionStream(hub, start, owner),
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING_BYTES }),
  );
}

class VersionStream {
  readonly #hub: EventHub;
  readonly #first: readonly StreamEvent[];
  readonly #owner: StreamOwner;
  readonly #cursor: Cursor;
  /** The agents that may have versions which the stream has not sent. */
  readonly #behind: Set<string>;
  readonly #unsubscribe: () => void;
  readonly #close = (): void => {
    if (this.#isOpen) this.#controller?.close();
    this.#end();
  };
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #wake = (): void => {};
  #isOpen = true;
  #silentBeats = 0;

  constructor(hub: EventHub, { cursor, present, first }: StreamStart, owner: StreamOwner) {
    this.#hub = hub;
    this.#first = first;
    this.#owner = owner;
    this.#cursor = cursor;
    this.#behind = new Set([...cursor.keys()].filter((agentId) => agentId !== GENERATION));
    this.#unsubscribe = hub.subscribe(present, {
      push: (event) => this.#push(event),
      beat: () => this.#beat(),
    });
    owner.ending.addEventListener("abort", this.#close);
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
    for (const event of this.#first) controller.enqueue(encodeMessage(event, this.#cursor));
    if (this.#owner.ending.aborted) this.#close();
  }

  async pull(): Promise<void> {
    this.#owner.hold(0);
    while (this.#isOpen) {
      const [agentId] = this.#behind;
      if (agentId === undefined) await this.#woken();
      else if (await this.#catchUp(agentId)) return;
    }
  }

  cancel(): void {
    this.#end();
  }

  #push(event: EncodedEvent): void {
    const known = this.#cursor.get(event.agentId) ?? 0;
    if (event.version <= known) return;
    if (event.version === known + 1 && this.#hasRoom()) {
      this.#send(event);
      return;
    }
    this.#behind.add(event.agentId);
    this.#wake();
  }

  #beat(): void {
    this.#silentBeats = this.#hasRoom() ? 0 : this.#silentBeats + 1;
    if (this.#silentBeats === 0) this.#controller?.enqueue(ALIVE);
    else if (this.#silentBeats >= MAX_SILENT_BEATS && this.#isOpen) {
      this.#controller?.close();
      this.#end(true);
    }
    // Reading these versions will be tried again.
    this.#wake();
  }

  /** Sends the versions that the stream lacks for one agent; returns whether there were any. */
  async #catchUp(agentId: string): Promise<boolean> {
    this.#behind.delete(agentId);
    const events = await this.#read(agentId).catch(() => {
      this.#behind.add(agentId);
      return undefined;
    });
    if (!events) await this.#woken();
    if (!events || events.length === 0 || !this.#isOpen) return false;
    // Some of these versions may have been sent while they were being read.
    const missing = events.filter(({ version }) => version > (this.#cursor.get(agentId) ?? 0));
    for (const event of missing) {
      if (event.version === (this.#cursor.get(agentId) ?? 0) + 1) this.#send(event);
      else this.#sendReset(event);
    }
    this.#owner.onRead(missing.reduce((sum, { head }) => sum + head.length, 0));
    this.#behind.add(agentId);
    return missing.length > 0;
  }

  async #read(agentId: string): Promise<readonly EncodedEvent[]> {
    if (!this.#owner.hold(CATCH_UP_BYTES)) throw new Error("not enough memory: the next heartbeat reads again");
    return this.#hub.eventsAfter(agentId, this.#cursor.get(agentId) ?? 0);
  }

  #send(event: EncodedEvent): void {
    this.#cursor.set(event.agentId, event.version);
    if (this.#cursor.size === 1) this.#controller?.enqueue(event.whole);
    else {
      this.#controller?.enqueue(event.head);
      this.#controller?.enqueue(encodeId(this.#cursor));
    }
  }

  /** Sends `reset` instead of a version that follows numbers lost in a rollback. */
  #sendReset({ agentId, version }: EncodedEvent): void {
    this.#cursor.set(agentId, version);
    const data = { agent_id: agentId, capability_manifest_version: version };
    this.#controller?.enqueue(encodeMessage({ event: "reset", data }, this.#cursor));
  }

  #hasRoom(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0;
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #end(isDropped = false): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#unsubscribe();
    this.#owner.ending.removeEventListener("abort", this.#close);
    this.#wake();
    this.#owner.onEnd(isDropped);
  }
}
