// Imports and verifies a million records in JSON Lines and in both databases, each in a process whose memory may peak
// at 150 MB. Usage: million.ts [records]
import assert from "node:assert/strict";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import type { ThoughtRecord } from "@agentprint/trail";
import { createThought, formatThoughtLine } from "@agentprint/trail/chain";
import { openTrailStore } from "../src/index.ts";
import { spawnScript, step, withDatabases } from "./harness.ts";

const RECORDS = Number(process.argv[2] ?? 1_000_000);
const MAX_MEMORY_MB = 150;
// The process runs the packages as they are published. By default V8 lets garbage grow with the machine's memory; these
// options prevent that.
const BUILT = ["--optimize-for-size", "--max-semi-space-size=1"];

async function writeTrail(path: string): Promise<string> {
  const file = createWriteStream(path);
  let previous: ThoughtRecord | null = null;
  for (let index = 0; index < RECORDS; index++) {
    const id = `018f2c5e-0000-7000-8000-${index.toString(16).padStart(12, "0")}`;
    const fields = { type: "plan", task_id: "million", agent_id: "a", content: `Thought number ${index}.` } as const;
    previous = createThought(fields, previous, { now: "2026-04-01T08:00:00.000Z", id });
    if (!file.write(formatThoughtLine(previous))) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
  return `${RECORDS} records`;
}

async function importTrail(url: string, path: string): Promise<string> {
  const store = await openTrailStore(url);
  const { added } = await store.import(createReadStream(path));
  await store.close();
  assert.equal(added, RECORDS);
  return `${added} records`;
}

async function verifyInProcess(source: string): Promise<string> {
  const process = spawnScript("verify-worker.js", [source], BUILT);
  let output = "";
  process.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const [code] = await once(process, "close");
  assert.equal(code, 0);
  const { ok, length, megabytes } = JSON.parse(output) as { ok: boolean; length: number; megabytes: number };
  assert.deepEqual({ ok, length }, { ok: true, length: RECORDS });
  assert.ok(megabytes <= MAX_MEMORY_MB, `${source} took ${megabytes} MB`);
  return `peak ${megabytes} MB`;
}

await withDatabases(async ({ directory, server }) => {
  const path = join(directory, "million.jsonl");
  const sqlite = `file:${join(directory, "million.db")}`;
  const postgres = await server.createDatabase("million");
  await step("write JSON Lines", () => writeTrail(path));
  await step("verify JSON Lines", () => verifyInProcess(path));
  await step("import, postgres", () => importTrail(postgres, path));
  await step("verify, postgres", () => verifyInProcess(postgres));
  await step("import, file", () => importTrail(sqlite, path));
  await step("verify, file", () => verifyInProcess(sqlite));
});
