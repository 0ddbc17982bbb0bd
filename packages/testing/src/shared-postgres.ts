import { globSync, readFileSync } from "node:fs";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

/** Where the vitest process stores the URL of the server for its test processes. */
const VARIABLE = "AGENTPRINT_TEST_POSTGRES";

/** Returns the URL of the server that the test files of this run share, if there is one. */
export function sharedPostgres(): string | undefined {
  return process.env[VARIABLE];
}

/**
 * Returns whether a package has test files that create databases: a separate server for each file would take longer
 * than its tests.
 */
export function sharesPostgres(root: string, include: readonly string[], exclude: readonly string[] = []): boolean {
  return globSync([...include], { cwd: root, exclude: [...exclude] }).some((file) =>
    /\bpostgresDatabases\b/.test(readFileSync(`${root}/${file}`, "utf8")),
  );
}

/** Starts the server before the tests of a package, and returns the function that stops it afterwards. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (sharedPostgres() !== undefined) return undefined;
  const server: PostgresServer = await startPostgres({ durable: false });
  process.env[VARIABLE] = server.url;
  return async () => {
    delete process.env[VARIABLE];
    await server.stop();
  };
}
