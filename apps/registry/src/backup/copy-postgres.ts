import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, linkSync, rmSync } from "node:fs";
import { openPool } from "@agentprint/trail-store/postgres";
import { RegistryError } from "../errors.ts";

/** The table that exists while a database is being restored. */
export const RESTORING = "registry_restoring";
const MAX_ERROR_CHARACTERS = 2000;

/**
 * Writes a PostgreSQL database into `file` with `pg_dump`, restores it into a separate database for `check`, and then
 * renames the file.
 *
 * @throws {@link RegistryError} `BACKUP_FAILED`.
 */
export async function backupPostgres<T>(url: string, file: string, check: (copy: string) => Promise<T>): Promise<T> {
  if (existsSync(file)) throw new RegistryError("BACKUP_FAILED", `the file ${file} already exists`);
  const temporary = `${file}.${randomUUID()}`;
  try {
    await runTool("pg_dump", ["--format=custom", "--no-owner", "--no-privileges", `--file=${temporary}`], url);
    const checked = await inScratchDatabase(url, async (scratch) => {
      await fill(temporary, scratch);
      return check(scratch);
    });
    linkSync(temporary, file);
    return checked;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Fills an empty PostgreSQL database from a backup; `prepare` then marks and checks it.
 *
 * @throws {@link RegistryError} `BACKUP_FAILED` when the database already has tables or the backup cannot be restored.
 */
export async function restorePostgres<T>(file: string, url: string, prepare: (copy: string) => Promise<T>): Promise<T> {
  const tables = await query(url, "select 1 from pg_tables where schemaname = 'public' limit 1");
  if (tables > 0) throw new RegistryError("BACKUP_FAILED", "the database already has tables: expected an empty one");
  // The dump does not say that it is being restored, and the process may end before `prepare` marks the database.
  await query(url, `create table ${RESTORING} (at text)`);
  try {
    await fill(file, url);
  } catch (error) {
    await query(url, `drop table ${RESTORING}`);
    throw error;
  }
  const prepared = await prepare(url);
  await query(url, `drop table ${RESTORING}`);
  return prepared;
}

function fill(file: string, url: string): Promise<void> {
  return runTool("pg_restore", ["--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"], url, file);
}

async function inScratchDatabase<T>(url: string, work: (scratch: string) => Promise<T>): Promise<T> {
  const name = `agentprint_check_${randomUUID().replaceAll("-", "")}`;
  await query(url, `create database ${name} template template0`);
  try {
    const scratch = new URL(url);
    scratch.pathname = `/${name}`;
    return await work(scratch.href);
  } finally {
    await query(url, `drop database ${name} with (force)`);
  }
}

/** Runs a statement and returns the number of rows. */
async function query(url: string, statement: string): Promise<number> {
  const pool = openPool(url, { max: 1, application_name: "agentprint registry backup", statementTimeoutMs: undefined });
  try {
    return (await pool.query(statement)).rowCount ?? 0;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "no reason given";
    throw new RegistryError("BACKUP_FAILED", `the backup cannot be checked: ${reason}`, { cause });
  } finally {
    await pool.end();
  }
}

/**
 * Runs a PostgreSQL tool. The password is passed in the environment, because everyone on the machine can see a command
 * line.
 */
async function runTool(tool: string, options: readonly string[], url: string, ...files: string[]): Promise<void> {
  const target = new URL(url);
  const password = decodeURIComponent(target.password);
  target.password = "";
  const child = spawn(tool, [...options, `--dbname=${target.href}`, ...files], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...(password !== "" && { PGPASSWORD: password }) },
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(0, MAX_ERROR_CHARACTERS);
  });
  const code = await new Promise<number | string>((resolve) => {
    child.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    child.on("close", (status, signal) => resolve(status ?? signal ?? "no status"));
  });
  if (code === 0) return;
  const reason = code === "ENOENT" ? "it is not installed" : `${code}: ${said.trim()}`;
  throw new RegistryError("BACKUP_FAILED", `${tool} failed: ${reason}`);
}
