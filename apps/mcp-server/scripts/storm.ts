// 50 clients that append to one task over two servers, and servers that are killed while clients append, cancel and send what is
// malformed or too large: on SQLite and on PostgreSQL. Usage: storm.ts [--rounds <n>]
import assert from "node:assert/strict";
import { parseArgs } from "node:util";
import { tryOnDisk } from "@agentprint/testing/trail/backends";
import { startProcess } from "../test/support/processes.ts";
import { appendAtOnce, checkWhole, killRounds } from "../test/support/storm.ts";

const CLIENTS = 50;
const THOUGHTS = 20;

const { values } = parseArgs({ options: { rounds: { type: "string", default: "50" } } });
const trials = tryOnDisk(storm, (trail) => kills(trail, Number(values.rounds)));
for await (const line of trials) console.log(line);

async function storm(trail: string): Promise<string> {
  const servers = await Promise.all([startProcess(trail), startProcess(trail)]);
  const urls = servers.map(({ url }) => url);
  const answered = await appendAtOnce(urls, CLIENTS, THOUGHTS);
  for (const server of servers) assert.equal(await server.end(), 0);
  assert.equal(await checkWhole(trail, answered), CLIENTS * THOUGHTS);
  return `${CLIENTS} clients appended ${CLIENTS * THOUGHTS} thoughts to one task over two servers: one whole chain`;
}

async function kills(trail: string, rounds: number): Promise<string> {
  const answered = await killRounds(trail, rounds, 8);
  const length = await checkWhole(trail, answered);
  return `${rounds} servers killed: ${answered.length} acknowledged thoughts all among the ${length} of one whole chain`;
}
