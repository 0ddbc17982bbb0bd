import { type Cursor, type EncodedEvent, encodeId, encodeMessage, type StreamEvent } from "./encode-event.ts";
import type { EventHub } from "./event-hub.ts";

/** Bytes that wait for a client that does not read; what is new meanwhile is read again when it does. */
const MAX_WAITING_BYTES = 64 * 1024;
/** Beats without room, after which a stream ends. */
const MAX_SILENT_BEATS = 2;
const ALIVE = new TextEncoder().encode(": alive\n\n");

/** Where a stream begins. */
export interface StreamStart {
  /** The agents, and the version of each behind which the stream begins. */
  readonly cursor: Cursor;
  /** The versions that the agents have. */
  readonly present: ReadonlyMap<string, number>;
  readonly first: readonly StreamEvent[];
}

/** The owner of a stream: it can end the stream, and is called when the stream ends or reads. */
export interface StreamOwner {
  /** Ends the stream. */
  readonly ending: AbortSignal;
  /** Is called once, when the stream has ended; `isDropped` if its client did not read, so that its connection has to be closed. */
  readonly onEnd: (isDropped: boolean) => void;
  /** Is called with the bytes of versions that were read for this stream alone. */
  readonly onRead: (bytes: number) => void;
}

/**
 * The new versions of agents as server-sent events. At most {@link MAX_WAITING_BYTES} and one event wait for the client; one that
 * does not read for two beats is disconnected, and may go on behind the last event that it got.
 */
export function openVersionStream(hub: EventHub, start: StreamStart, owner: StreamOwner): ReadableStream<Uint8Array> {
  const { cursor, present, first } = start;
  /** Agents that may have versions which were not given. */
  const behind = new Set(cursor.keys());
  let wake = (): void => {};
  let isOpen = true;
  let silentBeats = 0;
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const hasRoom = (): boolean => (controller.desiredSize ?? 0) > 0;
  const give = (event: EncodedEvent): void => {
    cursor.set(event.agentId, event.version);
    if (cursor.size === 1) controller.enqueue(event.whole);
    else {
      controller.enqueue(event.head);
      controller.enqueue(encodeId(cursor));
    }
  };
  const end = (isDropped = false): void => {
    if (!isOpen) return;
    isOpen = false;
    unsubscribe();
    owner.ending.removeEventListener("abort", close);
    wake();
    owner.onEnd(isDropped);
  };
  const close = (): void => {
    if (isOpen) controller.close();
    end();
  };
  const unsubscribe = hub.subscribe(present, {
    push: (event) => {
      const known = cursor.get(event.agentId) ?? 0;
      if (event.version <= known) return;
      if (event.version === known + 1 && hasRoom()) return give(event);
      behind.add(event.agentId);
      wake();
    },
    beat: () => {
      silentBeats = hasRoom() ? 0 : silentBeats + 1;
      if (silentBeats === 0) controller.enqueue(ALIVE);
      else if (silentBeats >= MAX_SILENT_BEATS && isOpen) {
        controller.close();
        end(true);
      }
      // What could not be read is read again.
      wake();
    },
  });
  owner.ending.addEventListener("abort", close);
  /** Gives the versions of one agent that is behind; returns whether there were any. */
  const catchUp = async (agentId: string): Promise<boolean> => {
    behind.delete(agentId);
    const events = await hub.eventsAfter(agentId, cursor.get(agentId) ?? 0).catch(() => {
      behind.add(agentId);
      return undefined;
    });
    if (!events) await woken();
    if (!events || events.length === 0 || !isOpen) return false;
    // Versions may have been given while they were read.
    const missing = events.filter(({ version }) => version > (cursor.get(agentId) ?? 0));
    for (const event of missing) give(event);
    owner.onRead(missing.reduce((sum, { head }) => sum + head.length, 0));
    behind.add(agentId);
    return missing.length > 0;
  };
  const woken = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  return new ReadableStream<Uint8Array>(
    {
      start: (own) => {
        controller = own;
        for (const event of first) controller.enqueue(encodeMessage(event, cursor));
        if (owner.ending.aborted) close();
      },
      pull: async () => {
        while (isOpen) {
          const [agentId] = behind;
          if (agentId === undefined) await woken();
          else if (await catchUp(agentId)) return;
        }
      },
      cancel: () => end(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING_BYTES }),
  );
}
