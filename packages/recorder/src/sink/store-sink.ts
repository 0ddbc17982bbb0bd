import type { TreeHead } from "@agentprint/trail/chain";
import { TreeHeadBuilder } from "@agentprint/trail/checkpoint";
import { type ThoughtRecord, ZERO_HASH } from "@agentprint/trail/record";
import type { TrailStore } from "@agentprint/trail-store";
import { isWriterGone } from "./machine.ts";
import { SessionList } from "./session-list.ts";
import { type Sink, type SinkThought, sessionExists, type UnendedSession } from "./sink.ts";

/**
 * In milliseconds. In milliseconds. After that, the recorder itself retries, and reports in the meantime that it cannot
 * write.
 */
const RETRY_FOR = 2_000;
/**
 * In milliseconds. A session on another machine counts as abandoned if it recorded nothing for this long, in
 * milliseconds.
 */
const LEFT_BEHIND_AFTER = 86_400_000;

/**
 * Opens a database with a chain for each session, and one more chain that lists the sessions. Listing the session
 * reserves its name.
 *
 * @throws {@link RecorderError} `session-exists` if the database has a session with this name.
 */
export async function openStore(url: string, session: string, agentId: string, withTree: boolean): Promise<Sink> {
  const { openTrailStore } = await import("@agentprint/trail-store");
  const store = await openTrailStore(url, { retryForMs: RETRY_FOR });
  const sessions = new SessionList(store, session, agentId);
  try {
    if ((await store.head(session)) !== null || !(await sessions.begin())) throw sessionExists(session, "the store");
    return new StoreSink(store, session, sessions, withTree);
  } catch (error) {
    sessions.stop();
    await store.close();
    throw error;
  }
}

class StoreSink implements Sink {
  readonly #store: TrailStore;
  readonly #session: string;
  readonly #sessions: SessionList;
  readonly #withTree: boolean;
  #tree = new TreeHeadBuilder();
  #head = ZERO_HASH;

  constructor(store: TrailStore, session: string, sessions: SessionList, withTree: boolean) {
    this.#store = store;
    this.#session = session;
    this.#sessions = sessions;
    this.#withTree = withTree;
  }

  async append(stretches: AsyncIterable<readonly SinkThought[]>): Promise<void> {
    const thoughts: SinkThought[] = [];
    for await (const stretch of stretches) thoughts.push(...stretch);
    const records = await this.#store.appendAll(thoughts);
    // This happens after the records are stored, so that a process that takes over the session from now on finds them.
    await this.#sessions.hold();
    if (!this.#withTree) return;
    const isNext = records.every(({ prev_hash }, index) => prev_hash === (records[index - 1]?.hash ?? this.#head));
    this.#head = (records.at(-1) as ThoughtRecord).hash;
    if (isNext) for (const record of records) this.#tree.append(record);
    else await this.#rebuildTree();
  }

  async findUnended(isEnd: (record: ThoughtRecord) => boolean): Promise<readonly UnendedSession[]> {
    const found: UnendedSession[] = [];
    for (const { session, turns, begun, ...writer } of await this.#sessions.openSessions()) {
      const last = Date.parse((await this.#store.head(session))?.timestamp ?? "") || begun;
      const times = { begun, last: Math.max(begun, last), leftBehindAfter: LEFT_BEHIND_AFTER };
      if (!isWriterGone(writer, times) || !(await this.#sessions.claim(session, turns))) continue;
      // The head is read again, because a slow writer may have appended records until the session was taken over.
      const head = await this.#store.head(session);
      const unended = { session, head: head?.hash, cut: 0 };
      if (head === null || isEnd(head)) await this.settle([unended]);
      else found.push(unended);
    }
    return found;
  }

  async settle(reported: readonly UnendedSession[]): Promise<void> {
    for (const { session } of reported) await this.#sessions.finish(session, "told");
  }

  async treeHead(): Promise<TreeHead> {
    return this.#tree.treeHead();
  }

  async close(ended: boolean): Promise<void> {
    this.#sessions.stop();
    try {
      if (ended) await this.#sessions.finish(this.#session, "ended");
    } finally {
      await this.#store.close();
    }
  }

  /**
   * Rebuilds the tree from the stored records, because another process wrote into this session's chain, or an append
   * was repeated.
   */
  async #rebuildTree(): Promise<void> {
    this.#tree = new TreeHeadBuilder();
    for await (const record of this.#store.read(this.#session)) this.#tree.append(record);
  }
}
