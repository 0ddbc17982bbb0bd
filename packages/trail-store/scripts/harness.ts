import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type PostgresServer, startPostgres } from "@agentprint/testing/postgres-server";
import { openTrailStore } from "../src/index.ts";

/** A writer in its own process, and the ids that have been acknowledged so far. */
export interface Writer {
  readonly process: ChildProcess;
  readonly acknowledged: string[];
  /** The exit code; `null` if a signal ended the process. */
  readonly exit: Promise<number | null>;
}

/**
 * Starts a script from this directory with this process's conditions, which select the SQLite driver; its stderr is
 * ours.
 */
export function spawnScript(
  name: string,
  args: readonly string[],
  flags: readonly string[] = process.execArgv,
): ChildProcess {
  const program = fileURLToPath(new URL(name, import.meta.url));
  return spawn(process.execPath, [...flags, program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
}

/** Starts a writer that appends `count` records to a task in groups of `together`. */
export function startWriter(url: string, taskId: string, writer: string, count: number, together = 1): Writer {
  const process = spawnScript("append-worker.ts", [url, taskId, writer, String(count), String(together)]);
  const acknowledged: string[] = [];
  let rest = "";
  process.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    acknowledged.push(...lines);
  });
  return { process, acknowledged, exit: once(process, "close").then(([code]) => code as number | null) };
}

/** Asserts that a task's chain is intact and has every acknowledged record exactly once. */
export async function checkChain(url: string, taskId: string, acknowledged: readonly string[]): Promise<number> {
  const store = await openTrailStore(url, { create: false });
  const report = await store.verify(taskId);
  assert.deepEqual(report.problems, []);
  const ids = new Set<string>();
  for await (const { id } of store.read(taskId)) ids.add(id);
  await store.close();
  assert.equal(ids.size, report.length);
  const lost = acknowledged.filter((id) => !ids.has(id));
  assert.deepEqual(lost, [], "acknowledged records are lost");
  return report.length;
}

/** Runs `body` with a directory and a PostgreSQL server, and cleans up afterwards. */
export async function withDatabases(
  body: (databases: { directory: string; server: PostgresServer }) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "trail-"));
  const server = await startPostgres({ durable: true });
  try {
    await body({ directory, server });
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Runs a named check and prints how long it took. */
export async function step(name: string, run: () => Promise<string>): Promise<void> {
  const start = performance.now();
  const result = await run();
  console.log(`${name}: ${result} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
}
