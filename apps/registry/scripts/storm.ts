// Makes 1,000 concurrent changes to one agent on two instances, and kills instances while they answer: on SQLite and on
// PostgreSQL. Usage: storm.ts [--changes <n>] [--rounds <n>]
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startProcess } from "@agentprint/testing/registry-process";
import { tryOnDisk } from "@agentprint/testing/trail/backends";
import { makeSignerKey } from "@agentprint/trail-store";
import { loadConfig } from "../src/config/config.ts";
import { checkWhole, killRounds, prepare, publish } from "../test/support/storm.ts";

const { values } = parseArgs({
  options: { changes: { type: "string", default: "1000" }, rounds: { type: "string", default: "50" } },
});
const folder = mkdtempSync(join(tmpdir(), "registry-storm-"));
const signer_key_file = join(folder, "signer.key");
makeSignerKey(signer_key_file, loadConfig({}).name);
try {
  const trials = tryOnDisk(
    (database) => storm(database, Number(values.changes)),
    (database) => kills(database, Number(values.rounds)),
  );
  for await (const line of trials) console.log(line);
} finally {
  rmSync(folder, { recursive: true });
}

async function storm(database: string, changes: number): Promise<string> {
  const settings = { database, signer_key_file };
  const token = await prepare(settings);
  const instances = await Promise.all([startProcess(settings), startProcess(settings)]);
  const started = performance.now();
  const versions = await Promise.all(
    Array.from({ length: changes }, (_, patch) => publish(instances[patch % 2]?.url ?? "", token, patch)),
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  for (const instance of instances) assert.equal(await instance.end(), 0);
  const acknowledged = versions.filter((version) => version !== undefined);
  assert.equal(acknowledged.length, changes);
  assert.equal(await checkWhole(database, acknowledged), changes + 1);
  return `${changes} concurrent changes on two instances: versions 2 to ${changes + 1}, each once, in ${seconds} s`;
}

async function kills(database: string, rounds: number): Promise<string> {
  const settings = { database, signer_key_file };
  const acknowledged = await killRounds(settings, await prepare(settings), rounds);
  return `${rounds} instances killed: ${acknowledged} acknowledged versions all there, trail intact`;
}
