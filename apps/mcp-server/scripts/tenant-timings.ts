// Tests whether an MCP server's answer times reveal to one token the ids of another token. Usage: tenant-timings.ts
// [--pairs <n>]: pairs per row, by default 10,000. Exit code 1: they do. Exit code 2: a control shows no difference, so
// nothing was tested.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { killServices } from "@agentprint/testing/service-process";
import { type Ask, type Asker, openAsker } from "@agentprint/testing/tenant-timings/ask";
import { measureRows } from "@agentprint/testing/tenant-timings/measure-rows";
import { IDS, idOf, type Row } from "@agentprint/testing/tenant-timings/rows";
import { openTrailStore } from "@agentprint/trail-store";
import { Tokens } from "../src/access/tokens.ts";
import { startProcess } from "../test/support/processes.ts";
import { messageOf } from "../test/support/server.ts";

const REVISION = "2026-07-28";
/** The number of records in each of the other tenant's tasks. */
const RECORDS = 5;

const { values } = parseArgs({ options: { pairs: { type: "string", default: "10000" } } });
const folder = mkdtempSync(join(tmpdir(), "mcp-tenants-"));
try {
  const trail = `file:${join(folder, "trail.db")}`;
  const store = await openTrailStore(trail);
  const tokens = new Tokens(store);
  const a = await tokens.issue({ agentId: "a", tasks: ["a/*"] }, new Date());
  const b = await tokens.issue({ agentId: "b", tasks: ["b/*"] }, new Date());
  await store.close();
  const unlimited = "1000000000";
  const server = await startProcess(trail, {
    failure_limit: unlimited,
    token_minute_limit: unlimited,
    token_task_limit: unlimited,
  });
  const asker = openAsker(server.url);
  await fill(asker, a.token, "a/");
  await fill(asker, b.token, "b/");
  asker.close();
  process.exitCode = await measureRows(server.url, rowsOf(b.token), Number(values.pairs));
  await server.end();
} finally {
  killServices();
  rmSync(folder, { recursive: true });
}

/** Appends records to every task of a tenant. */
async function fill(asker: Asker, token: string, prefix: string): Promise<void> {
  for (let nth = 0; nth < IDS; nth++) {
    for (let record = 0; record < RECORDS; record++) {
      const id = idOf("theirs", nth + record);
      const thought = { task_id: prefix + idOf("theirs", nth), type: "plan", content: "x", id };
      const { text } = await asker(call(token, "thought_record", thought));
      if (!text.includes(id) || text.includes('"isError":true')) throw new Error(`not recorded: ${text}`);
    }
  }
}

function rowsOf(token: string): Row[] {
  const hidden = /"isError":true/;
  const task = (whose: "theirs" | "nobodys", nth: number): string => `a/${idOf(whose, nth)}`;
  const tool = (name: string, rest: object = {}): Row => ({
    about: `\`${name}\` on a hidden task`,
    ask: (whose, nth) => call(token, name, { task_id: task(whose, nth), ...rest }),
    answers: hidden,
  });
  return [
    {
      about: "control: `thought_list` on the tenant's own task, and on a hidden one",
      ask: (whose, nth) =>
        call(token, "thought_list", { task_id: whose === "theirs" ? `b/${idOf("theirs", nth)}` : task(whose, nth) }),
      answers: /"result"/,
      isControl: true,
    },
    tool("thought_get", { id: idOf("theirs", 0) }),
    tool("thought_list"),
    tool("audit_verify_chain"),
    tool("audit_checkpoint"),
    tool("thought_record", { type: "plan", content: "x" }),
    {
      about: "`thought_get` in the tenant's own task, by one of the other tenant's ids",
      ask: (whose, nth) => call(token, "thought_get", { task_id: "b/none", id: idOf(whose, nth) }),
      answers: hidden,
    },
    {
      about: "`thought_record` with one of the other tenant's ids",
      ask: (whose, nth) =>
        call(token, "thought_record", {
          task_id: `b/new-${nth}`,
          type: "plan",
          content: "x",
          id: idOf(whose, nth),
        }),
      answers: /"result"(?!.*"isError":true)/,
    },
    {
      about: "`resources/read` of a hidden task",
      ask: (whose, nth) =>
        send(token, "resources/read", { uri: `trail://task/${encodeURIComponent(task(whose, nth))}` }),
      answers: /"error"/,
    },
    {
      about: "`completion/complete` of a hidden task",
      ask: (whose, nth) =>
        send(token, "completion/complete", {
          ref: { type: "ref/resource", uri: "trail://task/{task}" },
          argument: { name: "task", value: task(whose, nth) },
        }),
      answers: /"values":\[\]/,
    },
  ];
}

function call(token: string, name: string, args: object): Ask {
  return send(token, "tools/call", { name, arguments: args });
}

function send(token: string, method: string, params: Readonly<Record<string, unknown>>): Ask {
  const name = params["name"] ?? params["uri"];
  return {
    method: "POST",
    path: "/mcp",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": REVISION,
      "mcp-method": method,
      ...(name !== undefined && { "mcp-name": String(name) }),
    },
    body: JSON.stringify(messageOf(REVISION, 1, method, params)),
  };
}
