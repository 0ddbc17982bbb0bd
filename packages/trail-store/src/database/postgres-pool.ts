import pg from "pg";
import { checkArgument } from "../check-argument.ts";

const INT8 = 20;
/** How long a server may take to accept a new connection. */
const CONNECT_WITHIN_MS = 5_000;
/** How much longer than the server a client waits, so that a working server can report the timeout itself. */
const GRACE_MS = 500;
const LOCK_SHARE = 0.75;

/** The options of a connection pool. */
export interface PoolOptions {
  /** The most connections. */
  readonly max: number;
  readonly application_name: string;
  /** See `TrailStoreOptions`. */
  readonly statementTimeoutMs?: number | undefined;
}

/**
 * Opens a pool of connections to a PostgreSQL database, for statements in addition to a store's. The pool returns
 * `bigint` values as numbers, and replaces lost connections.
 *
 * @param options - an exceeded limit causes a driver error, see `TrailStore.errorOf`
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
  // The pool replaces a broken connection, whose query fails. Without listeners, the connection's error event would end
  // the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** A connection that is closed if the server is silent, while connecting or for longer than a statement may take. */
class Client extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    super({ connectionTimeoutMillis: CONNECT_WITHIN_MS, ...config });
    const query = this.query.bind(this) as (...args: readonly unknown[]) => unknown;
    // Otherwise the driver would keep the connection, and the next statements would wait behind the unanswered one.
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
