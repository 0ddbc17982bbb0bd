import pg from "pg";
import { checkArgument } from "../check-argument.ts";

const INT8 = 20;
/** How long a server may take to answer a new connection. */
const CONNECT_WITHIN_MS = 5_000;
/** How much longer than the server a client waits, so that a working server reports the timeout itself. */
const GRACE_MS = 500;
const LOCK_SHARE = 0.75;

/** Options of a connection pool. */
export interface PoolOptions {
  /** The most connections. */
  readonly max: number;
  readonly application_name: string;
  /** See `TrailStoreOptions`. */
  readonly statementTimeoutMs?: number | undefined;
}

/**
 * Opens a pool of connections to a PostgreSQL database, for statements in addition to a store's. It returns `bigint` as
 * numbers, and replaces a lost connection.
 *
 * @param options - a limit that is exceeded causes an error of the driver, see `TrailStore.errorOf`
 */
export function openPool(url: string, options: PoolOptions): pg.Pool {
  checkArgument("url", url, "string");
  checkArgument("options", options, "object");
  const { max, application_name, statementTimeoutMs } = options;
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8, Number);
  const limits =
    statementTimeoutMs === undefined
      ? {}
      : {
          statement_timeout: statementTimeoutMs,
          lock_timeout: Math.ceil(statementTimeoutMs * LOCK_SHARE),
          idle_in_transaction_session_timeout: 2 * statementTimeoutMs,
          query_timeout: statementTimeoutMs + GRACE_MS,
          connectionTimeoutMillis: statementTimeoutMs,
        };
  const pool = new pg.Pool({ connectionString: url, types, max, application_name, ...limits, Client });
  // A broken connection is replaced, and its query fails. Without listeners its error event would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** A connection that is closed when the server says nothing: while it is made, or for longer than a statement may take. */
class Client extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    super({ connectionTimeoutMillis: CONNECT_WITHIN_MS, ...config });
    const query = this.query.bind(this) as (...args: readonly unknown[]) => unknown;
    // The driver would keep the connection, and the next statements would wait behind the unanswered one.
    const watched = (...args: readonly unknown[]): unknown => {
      const answer = query(...args);
      if (answer instanceof Promise) answer.catch((error: unknown) => this.#endIfSilent(error));
      return answer;
    };
    this.query = watched as typeof this.query;
  }

  #endIfSilent(error: unknown): void {
    if (error instanceof Error && error.message === "Query read timeout") void this.end().catch(() => {});
  }
}
