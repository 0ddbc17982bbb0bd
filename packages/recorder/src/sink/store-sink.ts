import type { TreeHead } from "@agentprint/trail/chain";
import { TreeHeadBuilder } from "@agentprint/trail/checkpoint";
import { canonicalize, type ThoughtRecord, ZERO_HASH } from "@agentprint/trail/record";
import type { TrailStore } from "@agentprint/trail-store";
import { RecorderError } from "../errors.ts";
import { isWriterGone, MACHINE } from "./machine.ts";
import type { Sink, SinkThought, UnendedSession } from "./sink.ts";

/** The task whose chain lists the sessions of a database: which began, and which ended or were told about. */
export const SESSIONS_TASK = "agentprint sessions";
/** In milliseconds. The recorder tries again by itself, and says meanwhile that it cannot write. */
const RETRY_FOR = 2_000;
/** In milliseconds. On another machine a session counts as left behind when it recorded nothing for this long. */
const LEFT_BEHIND_AFTER = 86_400_000;

interface ListedSession {
  readonly session: string;
  readonly pid: number;
  readonly machine: string;
  /** In milliseconds since 1970. */
  readonly begun: number;
}

/**
 * A chain for each session in a database, and one more that lists the sessions.
 *
 * @throws {@link RecorderError} `session-exists` when the database has a chain of this session.
 */
export async function openStore(url: string, session: string, agentId: string, withTree: boolean): Promise<Sink> {
  const { openTrailStore } = await import("@agentprint/trail-store");
  const store = await openTrailStore(url, { retryForMs: RETRY_FOR });
  try {
    if (await store.head(session)) {
      const message = `the store has a chain of session ${JSON.stringify(session)}: expected another session id`;
      throw new RecorderError("session-exists", message, { path: "sessionId" });
    }
    const sink = new StoreSink(store, session, agentId, withTree);
    await sink.list(session, "open");
    return sink;
  } catch (error) {
    await store.close();
    throw error;
  }
}

class StoreSink implements Sink {
  readonly #store: TrailStore;
  readonly #session: string;
  readonly #agentId: string;
  readonly #withTree: boolean;
  #tree = new TreeHeadBuilder();
  #head = ZERO_HASH;

  constructor(store: TrailStore, session: string, agentId: string, withTree: boolean) {
    this.#store = store;
    this.#session = session;
    this.#agentId = agentId;
    this.#withTree = withTree;
  }

  async append(thoughts: readonly SinkThought[]): Promise<void> {
    const records = await this.#store.appendAll(thoughts);
    if (!this.#withTree) return;
    const isNext = records.every(({ prev_hash }, index) => prev_hash === (records[index - 1]?.hash ?? this.#head));
    this.#head = (records.at(-1) as ThoughtRecord).hash;
    if (isNext) for (const record of records) this.#tree.append(record);
    else await this.#rebuildTree();
  }

  /** Writes into the chain of sessions that one began, ended, or was told about. */
  async list(session: string, state: "ended" | "open" | "told"): Promise<void> {
    await this.#store.append({
      id: `${session}.${state}`,
      type: "reflection",
      task_id: SESSIONS_TASK,
      agent_id: this.#agentId,
      content: canonicalize({ session, state, ...(state === "open" ? { pid: process.pid, machine: MACHINE } : {}) }),
    });
  }

  async findUnended(isEnd: (record: ThoughtRecord) => boolean): Promise<readonly UnendedSession[]> {
    const found: UnendedSession[] = [];
    for (const { session, pid, machine, begun } of await this.#openSessions()) {
      const head = await this.#store.head(session);
      const times = { begun, last: Date.parse(head?.timestamp ?? "") || begun, leftBehindAfter: LEFT_BEHIND_AFTER };
      if (!isWriterGone({ pid, machine }, times)) continue;
      const unended = { session, head: head?.hash, cut: 0 };
      if (head === null || isEnd(head)) await this.settle([unended]);
      else found.push(unended);
    }
    return found;
  }

  async settle(told: readonly UnendedSession[]): Promise<void> {
    for (const { session } of told) {
      // Another process may have told about it at the same time.
      if (!(await this.#store.get(`${session}.told`))) await this.list(session, "told");
    }
  }

  async treeHead(): Promise<TreeHead> {
    return this.#tree.treeHead();
  }

  async close(ended: boolean): Promise<void> {
    try {
      if (ended) await this.list(this.#session, "ended");
    } finally {
      await this.#store.close();
    }
  }

  /** Somebody else wrote into the chain of this session, or an append was repeated: what is stored counts. */
  async #rebuildTree(): Promise<void> {
    this.#tree = new TreeHeadBuilder();
    for await (const record of this.#store.read(this.#session)) this.#tree.append(record);
  }

  async #openSessions(): Promise<readonly ListedSession[]> {
    const open = new Map<string, ListedSession>();
    for await (const { content, timestamp } of this.#store.read(SESSIONS_TASK)) {
      const { session, state, pid, machine } = parseListing(content);
      if (typeof session !== "string" || session === "" || session === this.#session) continue;
      if (state !== "open") open.delete(session);
      else if (typeof pid === "number" && typeof machine === "string") {
        open.set(session, { session, pid, machine, begun: Date.parse(timestamp) });
      }
    }
    return [...open.values()];
  }
}

function parseListing(content: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(content) ?? {};
  } catch {
    return {};
  }
}
