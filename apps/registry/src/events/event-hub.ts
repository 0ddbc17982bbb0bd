import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import { repeat } from "../repeat.ts";
import type { RegistryStore } from "../store/open-store.ts";
import { listVersions } from "../store/read.ts";
import { type EncodedEvent, encodeVersion } from "./encode-event.ts";
import type { Notifier } from "./notifier.ts";

/** The maximum size of the cached events in bytes; they can be cached because a version never changes. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;
/** The number of streams served in one turn of the event loop. */
const SLICE = 50;
const PAGE = 100;
/** The number of agents in one query. */
const MAX_ASKED = 500;
/** The interval between heartbeats, which also look for versions that no instance has announced. */
const BEAT_MS = 15_000;

/** A stream that receives agents' versions. */
export interface Subscriber {
  /** Accepts an event, or leaves it to be read later. */
  readonly push: (event: EncodedEvent) => void;
  /** Sends a heartbeat, and ends a stream that is not read. */
  readonly beat: () => void;
}

interface Topic {
  readonly subscribers: Set<Subscriber>;
  /** The newest version that the subscribers have received. */
  version: number;
  isReading: boolean;
  hasNews: boolean;
}

/** Reads and encodes each new version once, for all streams of its agent. */
export class EventHub {
  readonly #store: RegistryStore;
  readonly #log: Logger;
  readonly #topics = new Map<string, Topic>();
  readonly #encoded = new LRUCache<string, EncodedEvent>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ head }) => head.length,
  });
  readonly #ends: readonly (() => unknown)[];

  constructor(store: RegistryStore, notifier: Notifier, log: Logger, beatMs: number = BEAT_MS) {
    this.#store = store;
    this.#log = log;
    const stopListening = notifier.listen((agentId) => {
      for (const one of agentId === undefined ? this.#topics.keys() : [agentId]) void this.#news(one);
    });
    const beats = repeat(beatMs, () => this.#beat());
    this.#ends = [stopListening, beats.end];
  }

  /** Subscribes to agents from the versions in `present`; returns a function that unsubscribes. */
  subscribe(present: ReadonlyMap<string, number>, subscriber: Subscriber): () => void {
    for (const [agentId, version] of present) {
      const topic = this.#topics.get(agentId) ?? { subscribers: new Set(), version, isReading: false, hasNews: false };
      topic.subscribers.add(subscriber);
      this.#topics.set(agentId, topic);
    }
    return () => {
      for (const agentId of present.keys()) {
        const topic = this.#topics.get(agentId);
        topic?.subscribers.delete(subscriber);
        if (topic?.subscribers.size === 0) this.#topics.delete(agentId);
      }
    };
  }

  /** Returns some events about an agent's versions after `after`: at least one if there are any. */
  async eventsAfter(agentId: string, after: number): Promise<readonly EncodedEvent[]> {
    const kept = this.#encoded.get(`${agentId} ${after + 1}`);
    if (kept) return [kept];
    const { rows } = await listVersions(this.#store.db, agentId, { from: { after }, limit: PAGE });
    return rows.map((row) => {
      const key = `${agentId} ${row.version}`;
      const event = this.#encoded.get(key) ?? encodeVersion(row);
      this.#encoded.set(key, event);
      return event;
    });
  }

  /** Ends the heartbeats; the streams end on their own. */
  async close(): Promise<void> {
    for (const end of this.#ends) await end();
  }

  async #news(agentId: string): Promise<void> {
    const topic = this.#topics.get(agentId);
    if (!topic) return;
    topic.hasNews = true;
    if (topic.isReading) return;
    topic.isReading = true;
    try {
      while (topic.hasNews && topic.subscribers.size > 0) {
        topic.hasNews = false;
        await this.#tell(agentId, topic);
      }
    } catch (error) {
      // The next heartbeat tries again.
      this.#log.warn({ err: error, agent_id: agentId }, "new versions could not be read");
    } finally {
      topic.isReading = false;
    }
  }

  async #tell(agentId: string, topic: Topic): Promise<void> {
    for (;;) {
      const events = await this.eventsAfter(agentId, topic.version);
      if (events.length === 0) return;
      for (const event of events) {
        topic.version = event.version;
        await inSlices(topic.subscribers, (subscriber) => subscriber.push(event));
      }
    }
  }

  async #beat(): Promise<void> {
    const all = new Set([...this.#topics.values()].flatMap(({ subscribers }) => [...subscribers]));
    await inSlices(all, (subscriber) => subscriber.beat());
    try {
      const agents = [...this.#topics.keys()];
      for (let first = 0; first < agents.length; first += MAX_ASKED) {
        await this.#askFor(agents.slice(first, first + MAX_ASKED));
        await nextTurn();
      }
    } catch (error) {
      this.#log.warn({ err: error }, "could not look for new versions");
    }
  }

  async #askFor(agents: readonly string[]): Promise<void> {
    const rows = await this.#store.db
      .selectFrom("agents")
      .select(["id", "version"])
      .where("id", "in", agents)
      .execute();
    for (const { id, version } of rows) {
      if (version > (this.#topics.get(id)?.version ?? version)) void this.#news(id);
    }
  }
}

async function inSlices<T>(all: Iterable<T>, work: (one: T) => void): Promise<void> {
  let count = 0;
  for (const one of [...all]) {
    work(one);
    if (++count % SLICE === 0) await nextTurn();
  }
}
