import type { TrailTransaction } from "@agentprint/trail-store";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { RegistryStore } from "../store/open-store.ts";
import type { RegistryTables } from "../store/schema.ts";
import { type Backlog, backlogOf, dueWebhooks, release, settle, takeDue } from "./delivery-rows.ts";
import { attemptDelivery, type Outcome } from "./send-delivery.ts";

/** How many of one webhook's messages may be in progress at the same time; after a failure, only one. */
const AT_ONCE = 4;
/** If messages wait for longer than this, the operator is notified. */
const MAX_AGE_MS = 600_000;
const MAX_LISTED = 5;
/** How often the waiting messages are counted. */
const COUNT_INTERVAL_MS = 10_000;

/** The dependencies of {@link Deliveries}. */
export interface Delivering {
  readonly store: RegistryStore;
  readonly log: Logger;
  readonly now: () => Date;
  /** Ends the attempts in progress. */
  readonly ending: AbortSignal;
}

/**
 * Sends messages to webhooks from a separate queue for each webhook, so that a slow or unresponsive webhook does not
 * delay the others.
 */
export class Deliveries {
  readonly #delivering: Delivering;
  /** The queues being processed, by webhook. */
  readonly #queues = new Map<string, Promise<void>>();
  readonly #failing = new Set<string>();
  readonly #outcomes = new Map<Outcome, number>();
  #backlogs: readonly Backlog[] = [];
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor(delivering: Delivering) {
    this.#delivering = delivering;
  }

  /** Starts to process the queues of all webhooks that have a due message; never rejects. */
  async start(): Promise<void> {
    const { store, now, log, ending } = this.#delivering;
    if (ending.aborted) return;
    try {
      await this.#count();
      for (const id of await dueWebhooks(store.db, now().getTime())) {
        if (!this.#queues.has(id)) this.#queues.set(id, this.#work(id));
      }
    } catch (error) {
      log.error({ err: error }, "messages to webhooks could not be read");
    }
  }

  /** Waits until no queue is being processed. */
  async settled(): Promise<void> {
    while (this.#queues.size > 0) await Promise.all(this.#queues.values());
  }

  /** Returns the number of attempts by outcome, and the waiting messages. */
  counts(): { readonly outcomes: ReadonlyMap<Outcome, number>; readonly waiting: number; readonly oldestMs: number } {
    const now = this.#delivering.now().getTime();
    const waiting = this.#backlogs.reduce((sum, { count }) => sum + count, 0);
    const ages = this.#backlogs.map(({ since }) => now - Date.parse(since));
    return { outcomes: this.#outcomes, waiting, oldestMs: Math.max(0, ...ages) };
  }

  /** Returns the problems for an operator, one sentence each: webhooks whose oldest message has waited too long. */
  problems(): string[] {
    const now = this.#delivering.now().getTime();
    const late = this.#backlogs.filter(({ since }) => now - Date.parse(since) > MAX_AGE_MS);
    const listed = late
      .slice(0, MAX_LISTED)
      .map(({ webhookId, count, since }) => `${many(count)} waiting for webhook ${webhookId}, oldest since ${since}`);
    if (late.length > listed.length) listed.push(`${late.length - listed.length} more webhooks have waiting messages`);
    return listed;
  }

  async #count(): Promise<void> {
    const elapsed = performance.now() - this.#countedAt;
    if (elapsed < COUNT_INTERVAL_MS) return;
    this.#backlogs = await backlogOf(this.#delivering.store.db);
    this.#countedAt = performance.now();
  }

  async #work(webhookId: string): Promise<void> {
    const { log, ending } = this.#delivering;
    try {
      let count = 1;
      while (count > 0 && !ending.aborted) count = await this.#sendSome(webhookId);
    } catch (error) {
      log.error({ err: error, webhook: webhookId }, "messages to a webhook could not be sent");
    } finally {
      this.#queues.delete(webhookId);
    }
  }

  async #sendSome(webhookId: string): Promise<number> {
    const { store, now, log, ending } = this.#delivering;
    const atOnce = this.#failing.has(webhookId) ? 1 : AT_ONCE;
    const taken = await this.#store((db) => takeDue(db, webhookId, now().getTime(), atOnce));
    const sent = taken.map(async (delivery) => {
      const outcome = await attemptDelivery(store, delivery, now(), ending);
      if (outcome === "ended") return this.#store((db) => release(db, delivery));
      this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
      if (outcome === "delivered") this.#failing.delete(webhookId);
      else {
        this.#failing.add(webhookId);
        log.warn({ webhook: webhookId, agent_id: delivery.agent_id, outcome }, "webhook");
      }
      return this.#store((db) => settle(db, delivery, outcome, now()));
    });
    await Promise.all(sent);
    return taken.length;
  }

  /** Writes in a trail transaction, which is retried while the database is busy. */
  #store<T>(work: (db: Kysely<RegistryTables>) => Promise<T>): Promise<T> {
    return this.#delivering.store.trail.transact(({ db }: TrailTransaction<RegistryTables>) => work(db));
  }
}

function many(count: number): string {
  return count === 1 ? "1 message" : `${count} messages`;
}
