import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPool } from "@agentprint/trail-store/postgres";

/** Whether the programs of PostgreSQL are installed on this machine. */
export const HAS_POSTGRES: boolean = ["initdb", "pg_dump", "pg_restore", "postgres"].every(
  (program) => spawnSync(program, ["--version"]).status === 0,
);

/** A server of the PostgreSQL that is installed on this machine: `pg_dump` must not be older than the server. */
export interface InstalledPostgres {
  readonly createDatabase: (name: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Starts a server with the installed `initdb` and `postgres`, as the user `postgres` where this one is root. */
export async function startInstalledPostgres(): Promise<InstalledPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "registry-postgres-"));
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot ? { uid: idOf("-u"), gid: idOf("-g") } : {};
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, "data");
  const words = ["-D", data, "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"];
  execFileSync("initdb", words, { ...owner, cwd: folder, stdio: "ignore" });
  const port = await freePort();
  const settings = ["-p", String(port), "-k", folder, "-h", "127.0.0.1", "-F"];
  const server = spawn("postgres", ["-D", data, ...settings], { ...owner, cwd: folder, stdio: "ignore" });
  const ended = new Promise<void>((resolve) => server.once("close", () => resolve()));
  const urlOf = (name: string): string => `postgres://postgres:password@127.0.0.1:${port}/${name}`;
  await untilAnswered(urlOf("postgres"));
  return {
    createDatabase: async (name) => {
      await query(urlOf("postgres"), `create database ${name}`);
      return urlOf(name);
    },
    stop: async () => {
      server.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs a statement on a connection of its own. */
export async function query(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const pool = openPool(url, { max: 1, application_name: "test", statementTimeoutMs: undefined });
  try {
    return (await pool.query(statement)).rows;
  } finally {
    await pool.end();
  }
}

async function untilAnswered(url: string): Promise<void> {
  const until = Date.now() + 60_000;
  for (;;) {
    try {
      await query(url, "select 1");
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}

function idOf(option: string): number {
  return Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
