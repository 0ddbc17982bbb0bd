// Lets 50 clients append to one task over two servers while 50 addresses send 1,000 requests each and read nothing, and
// kills servers while clients append, cancel and send malformed or oversized messages: on SQLite and on PostgreSQL.
// Usage: storm.ts [--rounds <n>]
import assert from "node:assert/strict";
import { parseArgs } from "node:util";
import { tryOnDisk } from "@agentprint/testing/trail/backends";
import { costOfUnread } from "@agentprint/testing/unread-clients";
import { writtenCall } from "../test/support/http.ts";
import { startProcess } from "../test/support/processes.ts";
import { appendAtOnce, checkWhole, killRounds, TASK } from "../test/support/storm.ts";

const CLIENTS = 50;
const THOUGHTS = 20;
const MAX_UNREAD_MB = 256;
const MAX_HEALTH_SECONDS = 1;

const { values } = parseArgs({ options: { rounds: { type: "string", default: "50" } } });
const trials = tryOnDisk(storm, (trail) => kills(trail, Number(values.rounds)));
for await (const line of trials) console.log(line);

async function storm(trail: string): Promise<string> {
  const servers = await Promise.all([startProcess(trail), startProcess(trail)]);
  const urls = servers.map(({ url }) => url);
  const [first] = servers;
  assert.ok(first);
  const request = writtenCall("tools/call", { name: "audit_verify_chain", arguments: { task_id: TASK } });
  const [answered, unread] = await Promise.all([
    appendAtOnce(urls, CLIENTS, THOUGHTS),
    costOfUnread({ url: first.url, pid: Number(first.child.pid) }, () => request),
  ]);
  assert.ok(unread.mb <= MAX_UNREAD_MB, `requests whose answers were not read took ${unread.mb} MB`);
  assert.ok(unread.healthSeconds <= MAX_HEALTH_SECONDS, `/healthz took ${unread.healthSeconds} s`);
  for (const server of servers) assert.equal(await server.end(), 0);
  assert.equal(await checkWhole(trail, answered), CLIENTS * THOUGHTS);
  return `${CLIENTS} clients appended ${CLIENTS * THOUGHTS} thoughts to one task over two servers: one intact chain; requests whose answers were not read took ${unread.mb.toFixed(0)} MB meanwhile, and /healthz ${unread.healthSeconds.toFixed(2)} s`;
}

async function kills(trail: string, rounds: number): Promise<string> {
  const answered = await killRounds(trail, rounds, 8);
  const length = await checkWhole(trail, answered);
  return `${rounds} servers killed: ${answered.length} acknowledged thoughts, all among the ${length} of one intact chain`;
}
