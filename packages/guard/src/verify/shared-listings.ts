import type { JsonObject } from "@agentprint/canonical-json/json-value";
import type { RequestId } from "@agentprint/mcp";
import type { EventSink } from "../event-sink.ts";
import type { Output } from "../link/output.ts";
import type { OwnAnswer, OwnRequest, Settled } from "../link/pending.ts";
import type { LockInForce } from "../lock-in-force.ts";
import type { Settings } from "../settings.ts";
import { type Listing, type ListReading, wholeOf } from "./listing.ts";
import { UnreadablePage } from "./page-items.ts";

/** The members of a connection that a listing uses. */
export interface Asker {
  request(asked: OwnRequest, out: Output, settle: Settled): void;
  later(act: (out: Output) => void): void;
}

/** A request that waits until a list has been verified. */
export interface Waiter {
  readonly connection: Asker;
  /** The id of the waiting request. */
  readonly id: RequestId;
  /** The members of `_meta` that the guard's own request gets. */
  readonly meta: JsonObject;
  /** Continues the request. `isVerified` is false if the list could not be read. */
  resume(isVerified: boolean, out: Output): void;
}

/** A listing of one list by the guard. */
interface Work {
  readonly listing: Listing;
  connection: Asker;
  /** The waiter whose metadata and headers the listing carries. */
  for: Waiter;
  reading: ListReading | undefined;
  readonly waiters: Set<Waiter>;
  stop: () => void;
}

/** Listings by the guard, each shared by all of its waiters. */
export class SharedListings {
  readonly #settings: Settings;
  readonly #lock: LockInForce;
  readonly #events: EventSink;
  readonly #work = new Map<Listing, Work>();

  constructor(settings: Settings, lock: LockInForce, events: EventSink) {
    this.#settings = settings;
    this.#lock = lock;
    this.#events = events;
  }

  /** Adds a waiter to a list's listing, and starts that listing immediately if there is none. */
  wait(listing: Listing, waiter: Waiter, now: number, out: Output): void {
    const known = this.#work.get(listing);
    if (known) {
      known.waiters.add(waiter);
      return;
    }
    const work: Work = {
      listing,
      connection: waiter.connection,
      for: waiter,
      reading: undefined,
      waiters: new Set([waiter]),
      stop: this.#settings.clock.after(this.#settings.limits.listingMs, () => this.#finish(work, false)),
    };
    this.#work.set(listing, work);
    this.#begin(work, now, out);
  }

  /** Returns whether the guard is reading a list. */
  isReading(listing: Listing): boolean {
    return this.#work.has(listing);
  }

  /** Ends all listings, without resuming their waiters. */
  clear(): void {
    for (const { stop } of this.#work.values()) stop();
    this.#work.clear();
  }

  /** Removes a waiter. */
  forget(waiter: Waiter): void {
    for (const { waiters } of this.#work.values()) waiters.delete(waiter);
  }

  /** Removes a closed connection, and hands its pending listings to other waiters. */
  leave(connection: Asker): void {
    for (const work of [...this.#work.values()]) {
      for (const waiter of work.waiters) if (waiter.connection === connection) work.waiters.delete(waiter);
      if (work.connection !== connection) continue;
      const [next] = work.waiters;
      if (next === undefined) {
        work.stop();
        this.#work.delete(work.listing);
        continue;
      }
      work.connection = next.connection;
      work.for = next;
      next.connection.later((out) => this.#begin(work, this.#settings.clock.now(), out));
    }
  }

  #begin(work: Work, now: number, out: Output): void {
    work.reading = work.listing.reading(undefined, now);
    this.#ask(work, undefined, out);
  }

  #ask(work: Work, cursor: string | undefined, out: Output): void {
    const { method } = work.listing.kind;
    const { connection } = work;
    const { meta, id } = work.for;
    const hasMeta = Object.keys(meta).length > 0;
    const said = { ...(hasMeta && { _meta: meta }), ...(cursor !== undefined && { cursor }) };
    const params = Object.keys(said).length > 0 ? said : undefined;
    connection.request({ method, params, because: id }, out, (answer, next) => {
      if (this.#work.get(work.listing) !== work || work.connection !== connection) return;
      // Some clients read an empty cursor as the end of a list, so a server may have no page after it.
      const isNoPage = cursor === "" && answer !== undefined && answer.result === undefined;
      this.#page(work, isNoPage ? { ...answer, result: { [work.listing.kind.list]: [] } } : answer, next);
    });
  }

  #page(work: Work, answer: OwnAnswer | undefined, out: Output): void {
    const { result: page, text, numbers } = answer ?? {};
    // If the list cannot be read, no resource or prompt counts as drifted, and no tool may be called.
    if (page === undefined) {
      this.#finish(work, false, out);
      return;
    }
    const { listing, reading: asked } = work;
    const event = { kind: "listing", from: "server", method: listing.kind.method } as const;
    try {
      const { world, policy } = this.#lock;
      const judged = listing.judge({ page, text, numbers, asked }, world, policy);
      const { verdicts, listing: whole } = wholeOf(listing.kind, judged);
      const { decision, findings, next } = judged;
      this.#events.emit({ ...event, outcome: "passed", decision, findings }, { verdicts, of: { listing: whole } });
      if (next === undefined) {
        this.#finish(work, true, out);
        return;
      }
      work.reading = listing.reading(next, this.#settings.clock.now());
      this.#ask(work, next, out);
    } catch (error) {
      if (!(error instanceof UnreadablePage)) throw error;
      this.#events.emit({ ...event, outcome: "refused", findings: error.findings, reason: error.message });
      this.#finish(work, false, out);
    }
  }

  #finish(work: Work, isVerified: boolean, out?: Output): void {
    work.stop();
    this.#work.delete(work.listing);
    for (const waiter of work.waiters) {
      if (out && waiter.connection === work.connection) waiter.resume(isVerified, out);
      else waiter.connection.later((own) => waiter.resume(isVerified, own));
    }
  }
}
