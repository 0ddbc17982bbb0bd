// Tests a store under faults while it is written or read: killed writers, a full disk, damaged files, a server that
// restarts. Usage: faults.ts [--rounds <rounds of killed writers>] [file|postgres, to try only this database]
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, copyFileSync, mkdirSync, openSync, statSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createNoteKeys, createNoteSigner, createNoteVerifier } from "@agentprint/trail/checkpoint";
import { openPool } from "../src/database/postgres-pool.ts";
import { openTrailStore, TrailStoreError } from "../src/index.ts";
import { checkChain, spawnScript, startWriter, step, withDatabases } from "./harness.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "10" } },
});
const rounds = Number(values.rounds);

async function killWriters(url: string, together = 1): Promise<string> {
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const writer = startWriter(url, "kill", `round${round}`, 100_000, together);
    await once(writer.process.stdout as NodeJS.ReadableStream, "data");
    // The writer dies at a different place in the loop each time.
    const enough = (round % 10) * together;
    while (writer.acknowledged.length < enough) await once(writer.process.stdout as NodeJS.ReadableStream, "data");
    writer.process.kill("SIGKILL");
    assert.equal(await writer.exit, null);
    acknowledged.push(...writer.acknowledged);
    await checkChain(url, "kill", acknowledged);
  }
  return `${rounds} rounds, ${acknowledged.length} acknowledged records all there`;
}

async function fillDisk(directory: string): Promise<string> {
  const disk = join(directory, "disk");
  mkdirSync(disk);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m", "trail", disk]);
  if (mounted.status !== 0) return `SKIPPED: cannot mount a small disk here (${String(mounted.stderr).trim()})`;
  try {
    const url = `file:${join(disk, "trail.db")}`;
    const store = await openTrailStore(url);
    const thought = { type: "plan", task_id: "full", agent_id: "a", content: "x".repeat(5000) } as const;
    const acknowledged: string[] = [];
    const refusals: unknown[] = [];
    while (refusals.length === 0) {
      // Either all thoughts of an append are stored or none; the appends of one turn share a transaction.
      const outcomes = await Promise.allSettled([1, 2, 3].map((size) => store.appendAll(Array(size).fill(thought))));
      for (const outcome of outcomes) {
        if (outcome.status === "rejected") refusals.push(outcome.reason);
        else acknowledged.push(...outcome.value.map(({ id }) => id));
      }
    }
    for (const refusal of refusals) assert.equal(refusal instanceof TrailStoreError && refusal.code, "disk-full");
    assert.equal((await store.verify("full")).length, acknowledged.length, "nothing is half written");
    assert.equal(spawnSync("mount", ["-o", "remount,size=16m", disk]).status, 0);
    for (let index = 0; index < 20; index++) acknowledged.push((await store.append(thought)).id);
    await store.close();
    assert.equal(await checkChain(url, "full", acknowledged), acknowledged.length);
    return `refused after ${acknowledged.length - 20} records, intact, and continued when there was room`;
  } finally {
    spawnSync("umount", [disk]);
  }
}

/** Returns the verdict on a damaged store, which is a reason and never "ok". */
async function verdictOf(path: string): Promise<string> {
  try {
    const store = await openTrailStore(`file:${path}`, { create: false, retryForMs: 1000 });
    try {
      const report = await store.verify();
      return report.ok ? "ok" : "problems";
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof TrailStoreError) return error.code;
    throw error;
  }
}

async function damageFile(directory: string): Promise<string> {
  const original = join(directory, "damage.db");
  const store = await openTrailStore(`file:${original}`);
  await store.appendAll(
    Array.from({ length: 2000 }, (_, index) => ({
      type: "plan",
      task_id: "damage",
      agent_id: "a",
      content: `Thought ${index}. `.repeat(20),
    })),
  );
  await store.close();
  const { size } = statSync(original);
  const verdicts: Record<string, number> = {};
  let cases = 0;
  const damaged = async (what: string, damage: (path: string) => void): Promise<void> => {
    const path = join(directory, `damage-${cases++}.db`);
    copyFileSync(original, path);
    damage(path);
    const verdict = await verdictOf(path);
    assert.notEqual(verdict, "ok", what);
    verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  };
  for (const length of [0, 1, 100, 4096, Math.floor(size / 2), size - 4096, size - 1]) {
    await damaged(`cut to ${length} of ${size} bytes`, (path) => truncateSync(path, length));
  }
  for (let page = 0; page * 4096 < size; page += 7) {
    for (const byte of [0x00, 0xff]) {
      await damaged(`page ${page} overwritten with ${byte}`, (path) => {
        const file = openSync(path, "r+");
        writeSync(file, Buffer.alloc(4096, byte), 0, 4096, page * 4096);
        closeSync(file);
      });
    }
  }
  return `${cases} damaged files, none of them ok: ${JSON.stringify(verdicts)}`;
}

async function restartServer(url: string, restart: () => Promise<void>): Promise<string> {
  const writers = ["a", "b"].map((name) => startWriter(url, "restart", name, 400));
  for (const enough of [50, 150]) {
    while ((writers[0]?.acknowledged.length ?? 0) < enough) {
      await once(writers[0]?.process.stdout as NodeJS.ReadableStream, "data");
    }
    await restart();
  }
  assert.deepEqual(await Promise.all(writers.map(({ exit }) => exit)), [0, 0]);
  const acknowledged = writers.flatMap((writer) => writer.acknowledged);
  assert.equal(await checkChain(url, "restart", acknowledged), 800);
  return "2 restarts, 800 records, none twice";
}

/** Kills the signer of a partition's records at several moments, then signs again, drops the partition and verifies the rest. */
async function killBetweenCheckpointAndDrop(url: string): Promise<string> {
  const { signerKey, verifierKey } = createNoteKeys("faults", new Uint8Array(32).fill(1));
  const trust = { origin: "faults", log: createNoteVerifier(verifierKey) };
  const store = await openTrailStore(url, { partitioned: true });
  const owner = openPool(url, { max: 1, application_name: "owner" });
  const tasks = Array.from(
    { length: 8 },
    (_, index) => ({ type: "plan", task_id: `task-${index}`, agent_id: "a", content: "c" }) as const,
  );
  let kept = 0;
  for (let round = 1; round <= 3; round++) {
    await store.appendAll(tasks.flatMap((thought) => [thought, thought]));
    const { rows } = await owner.query(
      "select date_trunc('milliseconds', clock_timestamp()) + interval '1 ms' as time",
    );
    const time = rows[0].time.toISOString();
    await owner.query(`alter table thoughts detach partition thoughts_default; alter table thoughts_default rename to thoughts_old;
      alter table thoughts attach partition thoughts_old for values from (minvalue) to ('${time}');
      create table thoughts_default partition of thoughts default`);
    const worker = spawnScript("cover-worker.ts", [url, time, signerKey]);
    for (let lines = 0; lines < round * 5; ) {
      const [text] = await once(worker.stdout as NodeJS.ReadableStream, "data");
      lines += String(text).split("\n").length - 1;
    }
    worker.kill("SIGKILL");
    await once(worker, "close");
    assert.ok((await store.verify(undefined, { trust: () => trust })).ok, "complete before the partition is dropped");
    const options = { origin: "faults", signers: [createNoteSigner(signerKey)] };
    for await (const { note } of store.checkpointBefore(new Date(time), () => options)) kept += note.length > 0 ? 1 : 0;
    await owner.query("drop table thoughts_old");
    const { ok, tasks: reports } = await store.verify(undefined, { trust: () => trust });
    assert.ok(ok && reports.every(({ dropped }) => dropped?.size === round * 2), "whole after it");
  }
  await Promise.all([store.close(), owner.end()]);
  return `3 rounds, ${kept} checkpoints prove what was dropped`;
}

const [only = ""] = positionals;

await withDatabases(async ({ directory, server }) => {
  const checks: Record<string, () => Promise<string>> = {
    "file, kill -9": () => killWriters(`file:${join(directory, "kill.db")}`),
    "file, kill -9, 64 appends together": () => killWriters(`file:${join(directory, "together.db")}`, 64),
    "postgres, kill -9, 64 appends together": async () => killWriters(await server.createDatabase("together"), 64),
    "postgres, kill -9": async () => killWriters(await server.createDatabase("kill")),
    "file, disk full": () => fillDisk(directory),
    "file, damaged": () => damageFile(directory),
    "postgres, kill -9 before a drop": async () => killBetweenCheckpointAndDrop(await server.createDatabase("drop")),
    "postgres, restarted server": async () => restartServer(await server.createDatabase("restart"), server.restart),
  };
  for (const [name, run] of Object.entries(checks)) if (name.startsWith(only)) await step(name, run);
});
