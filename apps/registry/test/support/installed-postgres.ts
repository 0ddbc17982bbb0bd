import { installedPrograms } from "@agentprint/testing/postgres-programs";
import { type PostgresServer, startPostgres } from "@agentprint/testing/postgres-server";
import { canRun } from "@agentprint/testing/programs";
import { openPool } from "@agentprint/trail-store/postgres";

/** Whether PostgreSQL's programs are installed on this machine. */
export const HAS_POSTGRES: boolean = ["initdb", "pg_dump", "pg_restore", "postgres"].every((program) =>
  canRun(program),
);

/** Starts a server of the PostgreSQL installed on this machine, because `pg_dump` must not be older than the server. */
export const startInstalledPostgres = (): Promise<PostgresServer> =>
  startPostgres({ durable: false, programs: installedPrograms() });

/** Runs a statement on its own connection. */
export async function query(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const pool = openPool(url, { max: 1, application_name: "test", statementTimeoutMs: undefined });
  try {
    return (await pool.query(statement)).rows;
  } finally {
    await pool.end();
  }
}
