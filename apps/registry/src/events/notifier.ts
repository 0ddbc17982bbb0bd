import pg from "pg";

/** The channel of PostgreSQL on which the instances tell each other which agent has a new version. */
export const CHANNEL = "agentprint_registry";
const RECONNECT_MS = 1000;

type Listener = (agentId: string | undefined, isBreaking?: boolean) => void;

/** Wakes up who waits for new versions of agents: those of this process, and of other instances. */
export interface Notifier {
  /** Tells the listeners of this process that an agent has a new version. */
  readonly tell: (agentId: string, isBreaking: boolean) => void;
  /**
   * `listener` is called with the agent that may have a new version, or `undefined` if any agent may, and of a version of this
   * process whether it has breaking changes. Returns what ends it.
   */
  readonly listen: (listener: Listener) => () => void;
  readonly close: () => Promise<void>;
}

/** A notifier for instances that share the database at `url`. For SQLite it reaches the listeners of this process only. */
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

/** Keeps a connection that listens. After every new connection any agent may have changed, because messages may be lost. */
function listenToPostgres(url: string, tell: Listener): () => Promise<void> {
  const state: { client?: pg.Client; timer?: NodeJS.Timeout; closed: boolean } = { closed: false };
  const connect = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      application_name: "agentprint registry events",
    });
    state.client = client;
    let ended = false;
    const again = (): void => {
      if (ended) return;
      ended = true;
      void client.end().catch(() => {});
      if (!state.closed) state.timer = setTimeout(() => void connect(), RECONNECT_MS);
    };
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
