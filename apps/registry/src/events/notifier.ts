import pg from "pg";

/** The PostgreSQL channel on which the instances announce agents with new versions. */
export const CHANNEL = "agentprint_registry";
const RECONNECT_MS = 1000;
/** The interval between attempts to open a listening connection, and the time limit for the database's answer. */
const TRY_MS = 15_000;
const ANSWER_MS = 5000;

type Listener = (agentId: string | undefined, isBreaking?: boolean) => void;

/** Wakes up whatever waits for agents' new versions, in this process and in other instances. */
export interface Notifier {
  /** Notifies this process's listeners that an agent has a new version. */
  readonly tell: (agentId: string, isBreaking: boolean) => void;
  /**
   * Calls `listener` with the agent that may have a new version, or with `undefined` if any agent may; for a version
   * accepted by this process, also with whether it has breaking changes. Returns a function that stops the calls.
   */
  readonly listen: (listener: Listener) => () => void;
  readonly close: () => Promise<void>;
}

/**
 * Creates a notifier for instances that share the database at `url`. For SQLite, it reaches only this process's
 * listeners.
 */
export function createNotifier(url: string): Notifier {
  const listeners = new Set<Listener>();
  const tell: Listener = (agentId, isBreaking) => {
    for (const listener of listeners) listener(agentId, isBreaking);
  };
  const stop = /^postgres(ql)?:\/\//.test(url) ? listenToPostgres(url, tell) : async () => {};
  return {
    tell,
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: stop,
  };
}

/**
 * Keeps a listening connection open. After each reconnection, any agent may have changed, because messages may have
 * been lost.
 */
function listenToPostgres(url: string, tell: Listener): () => Promise<void> {
  const state: { client?: pg.Client; timer?: NodeJS.Timeout; closed: boolean } = { closed: false };
  const connect = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      application_name: "agentprint registry events",
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    });
    state.client = client;
    let ended = false;
    const again = (): void => {
      if (ended) return;
      ended = true;
      clearInterval(tries);
      void client.end().catch(() => {});
      if (!state.closed) state.timer = setTimeout(() => void connect(), RECONNECT_MS);
    };
    // A connection that only listens does not notice when it is lost.
    const tries = setInterval(() => void client.query("select 1").catch(again), TRY_MS);
    client.on("error", again);
    client.on("end", again);
    client.on("notification", ({ payload }) => tell(payload));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      tell(undefined);
    } catch {
      again();
    }
  };
  void connect();
  return async () => {
    state.closed = true;
    clearTimeout(state.timer);
    await state.client?.end().catch(() => {});
  };
}
