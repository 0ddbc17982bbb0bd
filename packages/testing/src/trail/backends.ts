import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, dropDatabase, emptyDatabase, type PostgresServer, startPostgres } from "../postgres-server.ts";
import { sharedPostgres } from "../shared-postgres.ts";

/** A kind of database for tests, and a function that creates an empty one. */
export interface TestDatabases {
  readonly start: () => Promise<void>;
  readonly create: () => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Whether the SQLite tests run a second time, with Node's own SQLite. */
const isSecondSqlite = process.execArgv.includes("--conditions=@agentprint/node-sqlite");

/** Returns the kinds of databases to test: PostgreSQL only once, although the SQLite tests run twice. */
export function testedDatabases(kinds: Readonly<Record<string, TestDatabases>>): [name: string, TestDatabases][] {
  return Object.entries(kinds).filter(([name]) => !isSecondSqlite || name !== "PostgreSQL");
}

/** Returns SQLite files in their own directory. */
export function sqliteFiles(): TestDatabases {
  let directory = "";
  let count = 0;
  return {
    start: async () => {
      directory = mkdtempSync(join(tmpdir(), "trail-sqlite-"));
    },
    create: async () => `file:${join(directory, `${count++}.db`)}`,
    stop: async () => rmSync(directory, { recursive: true }),
  };
}

/** SQLite in memory. */
export const sqliteMemory: TestDatabases = {
  start: async () => {},
  create: async () => "sqlite::memory:",
  stop: async () => {},
};

/**
 * Returns databases of a real PostgreSQL server, which waits for the disk if it is durable. Quick tests share a server
 * that does not.
 */
export function postgresDatabases({ durable = false }: { readonly durable?: boolean } = {}): TestDatabases {
  const shared = sharedPostgres();
  return shared === undefined || durable ? ofOwnServer(durable) : ofServer(shared);
}

/**
 * Returns databases of a server: a test takes one that an earlier test of the file left, because emptying it is much
 * faster than creating another.
 */
function ofServer(url: string): TestDatabases {
  const names: string[] = [];
  const left: string[] = [];
  const take = async (): Promise<string> => {
    const database = left.pop();
    if (database !== undefined) {
      await emptyDatabase(database);
      return database;
    }
    const name = `trail_${randomUUID().replaceAll("-", "_")}`;
    names.push(name);
    return createDatabase(url, name);
  };
  return {
    start: async () => {},
    create: async () => {
      // Scripts use other kinds of databases without a test runner.
      const { onTestFinished, TestRunner } = await import("vitest");
      const database = await take();
      // A database that is created for several tests is used until the last of them.
      if (TestRunner.getCurrentTest() !== undefined) onTestFinished(() => void left.push(database));
      return database;
    },
    stop: async () => {
      for (const name of names) await dropDatabase(url, name);
    },
  };
}

function ofOwnServer(durable: boolean): TestDatabases {
  let server: PostgresServer | undefined;
  let count = 0;
  return {
    start: async () => {
      server = await startPostgres({ durable });
    },
    create: async () => (server as PostgresServer).createDatabase(`trail_${count++}`),
    stop: async () => server?.stop(),
  };
}

/** Returns everything that `source` yields. */
export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of source) values.push(value);
  return values;
}

/** Yields the answer of each trial: in an empty SQLite database, then in one on a PostgreSQL server that waits for the disk. */
export async function* tryOnDisk(...trials: readonly ((url: string) => Promise<string>)[]): AsyncGenerator<string> {
  for (const [dialect, databases] of [
    ["SQLite", sqliteFiles()],
    ["PostgreSQL", postgresDatabases({ durable: true })],
  ] as const) {
    await databases.start();
    try {
      for (const trial of trials) yield `${dialect}: ${await trial(await databases.create())}`;
    } finally {
      await databases.stop();
    }
  }
}
