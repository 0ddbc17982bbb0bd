import type { Outgoing } from "@agentprint/guard";
import { bytesOf } from "../rpc.ts";

/** In bytes. */
const MAX_KEPT = 1024 * 1024;

/**
 * The answers that a session has received, by the ids of their events. When a client resumes a stream that it lost, the
 * server repeats the answers, and the client receives the result of the first verdict.
 */
export class SentAnswers {
  readonly #kept = new Map<string, Outgoing>();
  #bytes = 0;

  /** Keeps an answer; if there are too many, the oldest are forgotten. */
  keep(eventId: string, answer: Outgoing): void {
    this.#drop(eventId);
    this.#kept.set(eventId, answer);
    this.#bytes += sizeOf(eventId, answer);
    for (const [oldest] of this.#kept) {
      if (this.#bytes <= MAX_KEPT) return;
      this.#drop(oldest);
    }
  }

  get(eventId: string): Outgoing | undefined {
    return this.#kept.get(eventId);
  }

  #drop(eventId: string): void {
    const dropped = this.#kept.get(eventId);
    if (dropped === undefined) return;
    this.#kept.delete(eventId);
    this.#bytes -= sizeOf(eventId, dropped);
  }
}

function sizeOf(eventId: string, { message }: Outgoing): number {
  return eventId.length + bytesOf(message).length;
}
