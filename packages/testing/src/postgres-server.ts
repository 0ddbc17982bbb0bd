import type { ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { chownSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { openFolder } from "./other-accounts.ts";
import { bundledPrograms, type PostgresPrograms } from "./postgres-programs.ts";
import { outputOf, startProgram } from "./programs.ts";

/** A real PostgreSQL server for this process. */
export interface PostgresServer {
  /** The URL of the database that every server contains. */
  readonly url: string;
  /** Creates an empty database and returns its URL. */
  readonly createDatabase: (name: string) => Promise<string>;
  /** Stops the server in the middle of its work and starts it again. */
  readonly restart: () => Promise<void>;
  /** Stops the server and deletes its files. */
  readonly stop: () => Promise<void>;
}

/** Settings with which a server does not wait for the disk, and so starts four times and stops thirty times as fast. */
const NO_WAITING = ["-c", "fsync=off", "-c", "full_page_writes=off"];

const READY = "database system is ready to accept connections";

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGINT");
});

/**
 * Starts a server on a free port. With `durable` it has the default settings, so that a crash of the machine loses
 * nothing; without it, the server does not wait for the disk.
 */
export async function startPostgres({
  durable,
  programs = bundledPrograms(),
}: {
  readonly durable: boolean;
  readonly programs?: PostgresPrograms;
}): Promise<PostgresServer> {
  const folder = openFolder("postgres-");
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
    programs.remove();
  };
  try {
    makeCluster(folder, durable, programs);
    let [port, child] = await startOnFreePort(folder, durable, programs);
    return {
      url: urlOf(port, "postgres"),
      createDatabase: (name) => createDatabase(urlOf(port, "postgres"), name),
      restart: async () => {
        await end(child);
        child = await start(folder, port, durable, programs);
      },
      stop: async () => {
        await end(child);
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Creates an empty database on the server at a URL, and returns the URL of the database. */
export async function createDatabase(server: string, name: string): Promise<string> {
  await query(server, `create database ${pg.escapeIdentifier(name)}`);
  return Object.assign(new URL(server), { pathname: `/${encodeURIComponent(name)}` }).href;
}

/** Ends the connections to the database at a URL and deletes everything in it, so that it is as empty as when it was created. */
export async function emptyDatabase(database: string): Promise<void> {
  await query(
    database,
    `do $$ declare name text; begin
       perform pg_terminate_backend(pid, 10000) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid();
       for name in select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' loop
         execute format('drop schema %I cascade', name);
       end loop;
       create schema public;
       grant usage on schema public to public;
       execute format('alter database %I reset all', current_database());
     end $$`,
  );
}

/** Deletes a database, and ends the connections to it. */
export async function dropDatabase(server: string, name: string): Promise<void> {
  await query(server, `drop database ${pg.escapeIdentifier(name)} with (force)`);
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

const urlOf = (port: number, name: string): string => `postgres://postgres:password@localhost:${port}/${name}`;

function makeCluster(folder: string, durable: boolean, { initdb, account }: PostgresPrograms): void {
  const password = join(folder, "password");
  writeFileSync(password, "password\n");
  for (const path of [folder, password]) if (account.uid !== undefined) chownSync(path, account.uid, account.gid ?? 0);
  const data = ["-D", join(folder, "data"), "--encoding=UTF8", "--locale=C", ...(durable ? [] : ["--no-sync"])];
  const login = ["--username=postgres", "--auth=password", `--pwfile=${password}`];
  outputOf(initdb, [...data, ...login], { ...account, cwd: folder });
}

/** Starts the server on a port below those that systems assign to clients, so that a restarted server gets the same one again. */
async function startOnFreePort(
  folder: string,
  durable: boolean,
  programs: PostgresPrograms,
): Promise<[port: number, child: ChildProcess]> {
  for (let rest = 20; ; rest--) {
    const port = randomInt(20_000, 32_000);
    try {
      return [port, await start(folder, port, durable, programs)];
    } catch (error) {
      if (rest === 0 || !(error as Error).message.includes("could not bind")) throw error;
    }
  }
}

async function start(
  folder: string,
  port: number,
  durable: boolean,
  { postgres, account }: PostgresPrograms,
): Promise<ChildProcess> {
  const settings = ["-p", String(port), "-c", "listen_addresses=localhost", "-c", "unix_socket_directories="];
  const child = await startProgram(
    postgres,
    ["-D", join(folder, "data"), ...settings, ...(durable ? [] : NO_WAITING)],
    {
      ...account,
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  running.add(child);
  child.once("close", () => running.delete(child));
  let said = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-4096);
      if (said.includes("could not bind")) child.kill("SIGQUIT");
      else if (said.includes(READY)) resolve();
    });
    child.once("close", (code) => reject(new Error(`PostgreSQL ended with ${code}: ${said}`)));
  });
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return;
  const closed = once(child, "close");
  child.kill("SIGINT");
  await closed;
}
